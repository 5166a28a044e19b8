// How much of a pull request is drawn at first, and in what order its builds stand.
//
// Never draws, and never measures what is drawn: heights are reckoned from the data. Start at roomFor().

import { spelled } from "../el.js";
import { markdownText } from "../markdown.js";
import { nameOf } from "../parts.js";
import { buildCounts, buildSeverity, reviewWords } from "../words.js";

// Inline, the first drawing fits 640 px at 720 px of width. Heights are reckoned from the data, in px, a little
// too high rather than too low: to measure what is drawn and draw again would make a host's frame swing.
const FIRST_PX = 640;
const HEAD_PX = 182;
const LINE_PX = 20;
const PART_PX = 42;
const FOOT_PX = 26;
const SIDE_HEADS_PX = 48;
/** More vetoes than this are counted and wait for a step. */
export const MAX_VETOES = 12;
const BAR_PX = 44;
const ACTIVITY_PX = 54;
const ENTRY_PX = 28;
const STEP = { vetoes: 10, tasks: 5, lines: 20, reviewers: 10, builds: 10, activity: 5 };

/**
 * How much of each list is drawn: all in fullscreen, else what fits one screen, and more at each step asked for.
 * @param {PullRequestFacts} facts
 * @param {{mode: string, grown: Object<string, number>}} view
 * @param {{words: string}[]} needs
 * @param {{tabs: Object[], deeds: Object[]} | null} bar What is offered at the head.
 * @returns {{vetoes: number, tasks: number, lines: number, reviewers: number, builds: number, activity: number,
 *   isActivityShort?: boolean}} `isActivityShort`: each entry in one line.
 */
export function roomFor(facts, view, needs, bar) {
  if (view.mode === "fullscreen")
    return Object.fromEntries(Object.keys(STEP).map((name) => [name, Infinity]));
  // What a busy one has above leaves the activity its head alone.
  const isOlder = facts.activity?.start > 0;
  const vetoes = facts.merge_checks?.vetoes?.length ?? 0;
  const entries = Math.max(0, 3 - vetoes - (facts.tasks?.listed?.length ?? 0));
  const first = Math.min(entries, facts.activity?.listed?.length ?? 0);
  const below = facts.activity ? ACTIVITY_PX + first * ENTRY_PX : 0;
  const room = firstRoom(facts, needs, barPx(bar) + below);
  room.activity = isOlder ? 20 : first;
  room.isActivityShort = !isOlder && !(view.grown.activity > 0);
  for (const name of Object.keys(STEP)) room[name] += (view.grown[name] ?? 0) * STEP[name];
  return room;
}

function barPx(bar) {
  if (!bar) return 0;
  const words = [...bar.tabs.map((tab) => tab[1]), ...bar.deeds.map((deed) => deed.words)];
  const width = words.reduce((sum, one) => sum + one.length * 7.5 + 28, 0);
  return width > 640 ? 2 * BAR_PX - 8 : BAR_PX;
}

function firstRoom(facts, needs, below) {
  const title = linesOf(facts.title, 58) - 1;
  const meta =
    nameOf(facts.author).length + pathOf(facts.source).length + pathOf(facts.target).length < 52
      ? 0
      : 2;
  const chips = linesOf(needs.map((need) => `${need.words}    `).join(""), 88);
  const columns =
    FIRST_PX - below - HEAD_PX - title * 26 - meta * 26 - (needs.length > 0 ? 4 + chips * 34 : 0);
  return { ...mainRoom(facts, columns), ...sideRoom(facts, columns) };
}

// First the checks, then tasks; the description has what is left. `vetoes` is how many lines of each one's detail.
function mainRoom(facts, columns) {
  const checks = facts.merge_checks;
  let left =
    columns -
    (checks ? PART_PX : 0) -
    (checks?.unread ? 40 : 0) -
    (checks?.conflicted ? 26 : 0) -
    (checks?.auto_merge ? LINE_PX : 0);
  // Every veto is named; when they are many it is their details that wait for a step.
  const vetoes = (checks?.vetoes ?? []).slice(0, MAX_VETOES);
  const heightWith = (details) =>
    vetoes.reduce(
      (sum, veto) =>
        sum +
        6 +
        LINE_PX * Math.min(2, linesOf(veto.summary, 42)) +
        18 * Math.min(details, linesOf(veto.detail, 46)),
      0,
    );
  // Below them stand at least two lines of the description, and the tasks where there are some.
  const below = PART_PX + FOOT_PX + 2 * LINE_PX + (hasTasks(facts.tasks) ? PART_PX + FOOT_PX + 26 : 0);
  let details = 3;
  while (details > 0 && heightWith(details) + FOOT_PX > left - below) details -= 1;
  left -= heightWith(details) + (details < 3 && vetoes.length > 0 ? FOOT_PX : 0);
  let tasks = 0;
  if (hasTasks(facts.tasks))
    left -= PART_PX + (facts.tasks.unread || facts.tasks.list_unread ? 40 : 0) + (facts.tasks.open?.n > 1 ? FOOT_PX : 0);
  for (const task of facts.tasks?.listed ?? []) {
    const height = 6 + LINE_PX * Math.min(3, linesOf(markdownText(task.text, 200), 28));
    if (left - height < (tasks > 0 ? 150 : 20)) break;
    left -= height;
    tasks += 1;
  }
  // The line that says one more is left takes as much room as that one.
  const listed = facts.tasks?.listed?.length ?? 0;
  if (tasks === listed - 1 && facts.tasks.open?.n === listed) tasks = listed;
  return {
    vetoes: details,
    tasks,
    lines: Math.max(1, Math.floor((left - PART_PX - FOOT_PX) / LINE_PX)),
  };
}

// People as far as they leave a few builds their place; then builds to the end of the screen.
function sideRoom(facts, columns) {
  let left = columns - SIDE_HEADS_PX;
  let reviewers = 0;
  for (const one of facts.reviewers?.listed ?? []) {
    const height = reviewSaid(one) ? 42 : 32;
    if (reviewers > 1 && left - height < 205) break;
    left -= height;
    reviewers += 1;
  }
  if (reviewers < (facts.reviewers?.count?.n ?? 0)) left -= FOOT_PX;
  left -=
    FOOT_PX +
    linesOf(buildCounts(facts.builds?.states), 34) * 18 +
    (facts.builds?.required?.length > 0 ? 2 * LINE_PX : 0);
  let builds = 0;
  for (const one of buildRows(facts.builds)) {
    left -= one.isTall ? 44 : 26;
    if (builds > 1 && left < 0) break;
    builds += 1;
  }
  return { reviewers, builds };
}

/** How many lines a text takes, with so many signs in each. @param {string} text @param {number} signs */
export function linesOf(text, signs) {
  return Math.ceil(spelled(text ?? "").length / signs);
}

function pathOf(branch) {
  return `${branch?.repository ? `${branch.repository.project}/${branch.repository.repo}:` : ""}${branch?.branch ?? ""}`;
}

/** Whether there is anything to say of tasks. */
export function hasTasks(tasks) {
  return Boolean(tasks?.unread) || tasks?.open?.n > 0 || tasks?.resolved?.n > 0;
}

/** What a reviewer has said, in words; nothing where nothing was said. */
export function reviewSaid(one) {
  return [reviewWords(one.status).words, one.reviewed_older ? "older commit" : ""]
    .filter((words) => words !== "")
    .join(", ");
}

/**
 * Every build, and every required key that no listed build reports under: what needs somebody first.
 * @returns {{build?: Object, awaited?: Object, isRequired: boolean, isTall: boolean}[]}
 */
export function buildRows(builds) {
  const required = builds?.of === "pull_request" ? (builds.required ?? []) : [];
  const unmet = new Map(required.map((one) => [one.key, !one.met]));
  const listed = builds?.listed ?? [];
  const reported = new Set(listed.map((build) => build.parent));
  const rows = listed.map((build) => {
    const isRequired = unmet.has(build.parent);
    const isUnmet = unmet.get(build.parent) === true && build.state !== "SUCCESSFUL";
    return {
      build,
      isRequired,
      isTall: isRequired || build.state !== "SUCCESSFUL",
      rank:
        build.state === "FAILED"
          ? 0
          : isUnmet
            ? 1
            : isRequired
              ? 3
              : 2 + buildSeverity(build.state),
    };
  });
  const awaited = required
    .filter((one) => !reported.has(one.key))
    .map((one) => ({ awaited: one, isRequired: true, isTall: false, rank: one.met ? 3 : 1 }));
  return [...rows, ...awaited].sort((a, b) => a.rank - b.rank);
}
