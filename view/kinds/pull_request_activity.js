// What happened to a pull request, newest first, with its comments, as Bitbucket's overview has it.
//
// Never places a comment: bb says where it stands. Each entry is a region of its own. Start at activityRegions().

import { codeKey } from "../code.js";
import { el } from "../el.js";
import { editor, openButton } from "../deeds.js";
import { markdownText } from "../markdown.js";
import {
  avatar,
  button,
  isolated,
  listFoot,
  lozenge,
  nameOf,
  nothing,
  personName,
  section,
  unread,
} from "../parts.js";
import { commentMarks, folded, placesOf, talk } from "../threads.js";
import { timeElement } from "../time.js";
import { targetOf } from "./pull_request_deeds.js";

/**
 * `next`: where older entries begin, if there are any; `start`: where these do, if that is not the newest.
 * @typedef {{count: Count, start?: number, next?: number, listed: Entry[]} | Unread} Activity
 * @typedef {{id?: number, at?: string, by?: Person, action: string, words: string, commit?: string,
 *   commits?: {id: string, subject: string, removed?: boolean}[], thread?: PlacedThread}} Entry
 *   `words` follow the name, in Bitbucket's wording; of a thread on a file its path follows them.
 * @typedef {Talk & {path?: string, line?: number, side?: "old" | "new", outdated?: boolean, lines?: Array[]}} PlacedThread
 *   A line is `["+" | "-" | " ", old number, new number, text, whether the thread stands on it]`.
 */

const OUTDATED = { words: "Outdated", tone: "neutral", icon: "cancelled" };

/** The regions of the activity: its head, its entries, its foot. */
export function activityRegions({ facts, show }, room, view) {
  const { activity } = facts;
  if (!activity) return [];
  const region = (name, of, draw) => ({ name: `activity-${name}`, slot: "activity", of, draw });
  const isShort = room.isActivityShort;
  const rights = [view.may("add_pr_comment"), view.may("update_pr_comment"), isShort];
  const { listed = [], ...about } = activity;
  // Where somebody writes, or was told something, is drawn whole, however short the rest is.
  const doings = new Map(listed.map((entry) => [entry, at(view, placesOf(entry.thread))]));
  const isInUse = (entry) => doings.get(entry)[1].length > 0;
  const shown = listed.filter((entry, place) => place < room.activity || isInUse(entry));
  const isCut = isShort && listed.some((entry) => entry.thread);
  const foot = () => drawActivityFoot(shown.length, isCut, activity, show, view);
  const counts = [about, shown.length, listed.length];
  const head = region("head", [counts, rights, at(view, ["comment"])], () =>
    drawActivityHead(activity, facts, isShort ? foot() : null, view),
  );
  const entries = shown.map((entry, place) => {
    // A thread is known by its first comment: its entry may be another after a reply.
    const id = entry.thread?.comments?.[0]?.id || `e${entry.id ?? place}`;
    const isLine = isShort && !isInUse(entry);
    return region(id, [entry, rights, isLine], () =>
      isLine ? drawShort(entry, view) : drawEntry(entry, facts, view),
    );
  });
  return [head, ...entries, isShort ? null : region("foot", counts, foot)];
}

// Only the places that have something to say, so that a long list has a short key.
function at({ desk }, places) {
  const all = places.map((place) => [place, desk.at(place)]);
  return [desk.isBusy(), all.filter(([, one]) => one.open || one.running || one.said)];
}

function drawActivityHead(activity, facts, foot, view) {
  const place = "comment";
  const comment = (words, task) => ({
    words,
    of: (text) => ({
      place,
      tool: "add_pr_comment",
      args: { ...targetOf(facts), text, ...task },
      told: `The person ${task ? "created a task" : "commented"} on pull request #${facts.id}.`,
    }),
  });
  const deeds = [comment("Comment"), comment("Create task", { task: true })];
  return section(
    "activity",
    activity.start > 0 ? "Older activity" : "Activity",
    [foot, view.may("add_pr_comment") ? openButton("Comment", place, view) : null],
    activity.unread ? unread(activity.unread) : null,
    activity.listed?.length === 0 ? nothing("No activity yet") : null,
    editor({ place, label: "Your comment, in Markdown", deeds }, view),
  );
}

function drawActivityFoot(shown, isCut, { count, next, start, listed }, show, view) {
  const carried = listed?.length ?? 0;
  const grow = { icon: "more", focus: "grow activity", quiet: true };
  const isOlder = Number.isInteger(next) && view.opens("pull_request");
  return el(
    "div",
    { class: "older" },
    listFoot({
      shown,
      carried,
      count: start > 0 ? { n: carried, exact: true } : count,
      many: "activity",
      name: "activity",
      ask: view.ask,
    }),
    isCut && shown === carried
      ? button("Show comments", () => view.ask.grow("activity"), grow)
      : null,
    isOlder && !isCut && shown === carried
      ? button("Older activity", () => view.ask.open({ ...show, activity_start: next }), {
          ...grow,
          focus: "older",
        })
      : null,
  );
}

function whoDid(entry) {
  const path = entry.thread?.path;
  return [
    personName(entry.by),
    ` ${entry.words} `,
    path ? el("code", { class: "path" }, isolated(pathWithLine(entry.thread))) : null,
    entry.commit ? [" in ", el("code", {}, entry.commit.slice(0, 11))] : null,
  ];
}

function pathWithLine({ path, line }) {
  return line ? `${path}:${line}` : path;
}

// One line, before the person asks for more.
function drawShort(entry, view) {
  const comment = entry.thread?.comments?.[0];
  const says = comment ? markdownText(comment.text?.nodes, 160) : "";
  return el(
    "div",
    { class: "entry-short" },
    avatar(entry.by),
    el(
      "span",
      { class: "entry-line" },
      whoDid(entry),
      says ? [": ", el("span", { class: "quiet", dir: "auto" }, says)] : null,
    ),
    el("span", { class: "quiet entry-time" }, timeElement(entry.at, view.clock)),
  );
}

function drawEntry(entry, facts, view) {
  const { thread } = entry;
  const [root] = thread?.comments ?? [];
  return el(
    "div",
    { class: "entry", role: "article", "aria-label": `${nameOf(entry.by)} ${entry.words}` },
    avatar(entry.by),
    el(
      "div",
      { class: "entry-body" },
      el(
        "p",
        { class: "entry-head" },
        el("span", {}, whoDid(entry)),
        thread?.outdated ? lozenge(OUTDATED) : null,
        commentMarks(root),
        el("span", { class: "quiet" }, timeElement(entry.at, view.clock)),
      ),
      entry.commits?.length > 0
        ? el(
            "ul",
            { class: "rows entry-commits" },
            entry.commits.map((one) =>
              el(
                "li",
                {},
                el("code", {}, one.id),
                " ",
                one.removed ? el("del", {}, isolated(one.subject)) : isolated(one.subject),
              ),
            ),
          )
        : null,
      root
        ? folded(
            thread,
            thread.lines?.length > 0 ? drawExcerpt(thread) : null,
            talk(thread, { clock: view.clock, target: targetOf(facts), isEntry: true }),
          )
        : null,
    ),
  );
}

function drawExcerpt({ path, lines }) {
  const tones = { "+": " line-added", "-": " line-removed" };
  return el(
    "div",
    {
      class: "excerpt wide",
      tabindex: 0,
      role: "group",
      dir: "ltr",
      "aria-label": `Lines of ${path}`,
      "data-code": codeKey([path, ...lines.map((line) => line[0] + line[3])].join("\n")),
    },
    lines.map(([sign, before, now, text, isMarked]) =>
      el(
        "div",
        { class: `excerpt-line${tones[sign] ?? ""}${isMarked ? " is-marked" : ""}` },
        el("span", { class: "excerpt-number" }, `${now ?? before ?? ""}`),
        el("span", { class: "excerpt-sign" }, sign),
        el("code", {}, text),
      ),
    ),
  );
}
