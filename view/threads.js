// The thread drawer: a comment, its replies, how the thread stands. A resolved one is a line until it is opened.
//
// Never places a thread. Start at thread().

import { el } from "./el.js";
import { icon } from "./icons.js";
import { avatar, lozenge, nameOf, personName } from "./parts.js";
import { markdown, markdownText } from "./markdown.js";
import { timeElement } from "./time.js";
import { counted, taskWords } from "./words.js";

/**
 * A thread as bb sends it: its first comment, then its replies in order of reading.
 * @typedef {{comments: Comment[], left_out?: number, side?: "old", first_line?: number, resolved?: boolean,
 *   resolver?: Person, resolved_at?: string}} Thread `left_out`: comments that do not fit in the result.
 * @typedef {{id: number, version?: number, depth?: number, author?: Person, at?: string, edited?: boolean,
 *   text: MarkdownNode[], cut?: boolean, task?: string, pending?: boolean}} Comment
 *   `task`: how it stands as a task, if it is one; `pending`: only its author sees it yet.
 */

/** @param {Thread} one @param {Clock} clock @param {string} [said] Where it stands, for one of several lines. */
export function thread(one, clock, said = "") {
  const all = el(
    "div",
    { class: "thread-comments" },
    said ? el("p", { class: "quiet" }, said) : null,
    one.comments.map((each) => comment(each, clock)),
    one.left_out > 0
      ? el("p", { class: "quiet" }, `${counted(one.left_out, "more comment")} in Bitbucket`)
      : null,
  );
  if (!one.resolved) return el("div", { class: "thread" }, all);
  const first = one.comments[0];
  return el(
    "details",
    { class: "thread is-resolved", "data-keep": `thread ${first?.id}` },
    el(
      "summary",
      { "data-focus": `thread ${first?.id}` },
      icon("check"),
      el("strong", {}, "Resolved"),
      one.resolver ? el("span", {}, " by ", personName(one.resolver)) : null,
      el(
        "span",
        { class: "quiet thread-start", dir: "auto" },
        `${nameOf(first?.author)}: ${markdownText(first?.text, 80)}`,
      ),
    ),
    all,
  );
}

/** About how tall a thread is drawn, in px, at so many signs a line. @param {Thread} one @param {number} signs */
export function threadHeight(one, signs) {
  if (one.resolved) return 40;
  return one.comments.reduce(
    (sum, each) => sum + 44 + 20 * Math.ceil(markdownText(each.text, 2_000).length / signs),
    20,
  );
}

function comment(one, clock) {
  return el(
    "div",
    { class: `comment comment-${Math.min(one.depth ?? 0, 3)}` },
    avatar(one.author),
    el(
      "div",
      { class: "comment-body" },
      el(
        "div",
        { class: "comment-head" },
        el("strong", {}, personName(one.author)),
        el("span", { class: "quiet" }, timeElement(one.at, clock), one.edited ? " (edited)" : ""),
        one.task ? lozenge(taskWords(one.task)) : null,
        one.pending ? lozenge({ words: "Pending", tone: "neutral", icon: "draft" }) : null,
      ),
      markdown(one.text),
      one.cut ? el("p", { class: "quiet" }, "The rest of this comment is in Bitbucket") : null,
    ),
  );
}
