// Threads of comments: who wrote what, replies below, a resolved one folded, and what can be done with each.
//
// Never places one. Start at talk(); folded() around it.

import { deedButton, deedSaid, editor, openButton } from "./deeds.js";
import { el } from "./el.js";
import { icon } from "./icons.js";
import { markdown, markdownText } from "./markdown.js";
import { avatar, lozenge, nameOf, personName } from "./parts.js";
import { spot } from "./spots.js";
import { timeElement } from "./time.js";
import { counted, taskWords } from "./words.js";

/**
 * What was said in a thread: its first comment, then its replies in order of reading. `count` where not all are here.
 * @typedef {{comments: Comment[], count?: number, resolved?: boolean, resolved_by?: Person}} Talk
 * @typedef {{id: number, depth?: number, by?: Person, at?: string, edited?: boolean,
 *   text?: {nodes: MarkdownNode[], cut?: {shown: number, total: number}}, task?: string, pending?: boolean,
 *   resolvable?: boolean}} Comment
 *   `task`: how it stands as a task, if it is one; `pending`: only its author sees it yet; `resolvable`: by the person.
 */

// Replies to replies move no further in than this.
const MAX_DEPTH_DRAWN = 3;

/**
 * The comments of a thread, and what can be done with them.
 * @param {Talk} one
 * @param {{clock: Clock, target: Object | null, isEntry?: boolean, said?: string}} how `target`: what identifies the
 *   pull request, where the person may write; `isEntry`: who wrote the first stands above it already; `said`: where it
 *   stands, for one of several lines.
 */
export function talk(one, { clock, target, isEntry = false, said = "" }) {
  const { comments, resolved } = one;
  const hidden = one.count ? one.count - comments.length : 0;
  return [
    said ? el("p", { class: "quiet" }, said) : null,
    comments.map((each, at) => drawComment(each, isEntry && at === 0, at > 0 ? target : null, clock)),
    hidden > 0 ? el("p", { class: "quiet" }, `${counted(hidden, "more comment")} in Bitbucket`) : null,
    target && comments.length > 0
      ? spot(placesOf({ comments: comments.slice(0, 1) }), (view) => drawDeeds(comments[0], resolved, target, view))
      : null,
  ];
}

/** Where the person does something with a thread. @param {Talk} [one] */
export function placesOf(one) {
  return (one?.comments ?? []).flatMap(({ id }) => [`reply ${id}`, `resolve ${id}`]);
}

/** A resolved thread is one line until somebody opens it. @param {Talk} one @param {...(Node | Array | null)} whole */
export function folded({ resolved, resolved_by: by, comments: [root, ...replies] }, ...whole) {
  if (!resolved) return whole;
  return el(
    "details",
    { class: "resolved", "data-keep": `thread ${root?.id}` },
    el(
      "summary",
      { "data-focus": `thread ${root?.id}` },
      icon("check"),
      el("strong", {}, "Resolved"),
      by ? el("span", {}, "by ", personName(by)) : null,
      el(
        "span",
        { class: "quiet resolved-start", dir: "auto" },
        `${nameOf(root?.by)}: ${markdownText(root?.text?.nodes, 90)}`,
      ),
      replies.length > 0
        ? el("span", { class: "quiet" }, `(${counted(replies.length, "reply", "replies")})`)
        : null,
    ),
    whole,
  );
}

/** About how tall a thread is drawn, in px, at so many signs a line. @param {Talk} one @param {number} signs */
export function threadHeight(one, signs) {
  if (one.resolved) return 40;
  return one.comments.reduce(
    (sum, each) => sum + 44 + 20 * Math.ceil(markdownText(each.text?.nodes, 2_000).length / signs),
    60,
  );
}

/** Signs of a comment: a task, a thread that is resolved, one that is not sent. */
export function commentMarks(comment) {
  return [
    comment?.task ? lozenge(taskWords(comment.task)) : null,
    comment?.pending ? lozenge({ words: "Pending", tone: "neutral", icon: "draft" }) : null,
  ];
}

function drawComment(comment, isBare, target, clock) {
  const { nodes, cut } = comment.text ?? {};
  const said = [
    markdown(nodes),
    cut ? el("p", { class: "quiet" }, `The first ${cut.shown} of ${cut.total} characters.`) : null,
    target && comment.resolvable
      ? spot([`resolve ${comment.id}`], (view) => drawResolve(comment, comment.task === "RESOLVED", target, view))
      : null,
  ];
  if (isBare) return el("div", { class: "comment-body" }, said);
  return el(
    "div",
    { class: `comment depth-${Math.min(comment.depth ?? 0, MAX_DEPTH_DRAWN)}` },
    avatar(comment.by),
    el(
      "div",
      { class: "comment-body" },
      el(
        "div",
        { class: "comment-head" },
        personName(comment.by),
        el("span", { class: "quiet" }, timeElement(comment.at, clock), comment.edited ? " (edited)" : ""),
        commentMarks(comment),
      ),
      said,
    ),
  );
}

function drawResolve(comment, isDone, target, view) {
  const what = comment.task ? "task" : "thread";
  const deed = {
    place: `resolve ${comment.id}`,
    tool: "update_pr_comment",
    args: { ...target, comment_id: comment.id, resolved: !isDone },
    told: `The person ${isDone ? "reopened" : "resolved"} a ${what} of pull request #${target.id}.`,
  };
  if (!comment.resolvable || !view.may(deed.tool)) return null;
  const words = `${isDone ? "Reopen" : "Resolve"} ${what}`;
  return [deedButton(words, deed, view, { quiet: true }), deedSaid(deed.place, view)];
}

function drawDeeds(root, isResolved, target, view) {
  const place = `reply ${root.id}`;
  const reply = (text) => ({
    place,
    tool: "add_pr_comment",
    args: { ...target, text, parent_id: root.id },
    told: `The person replied to a comment on pull request #${target.id}.`,
  });
  const isDone = root.task ? root.task === "RESOLVED" : isResolved;
  return el(
    "div",
    { class: "actions" },
    view.may("add_pr_comment") ? openButton("Reply", place, view) : null,
    drawResolve(root, isDone, target, view),
    editor({ place, label: "Your reply, in Markdown", deeds: [{ words: "Reply", of: reply }] }, view),
  );
}
