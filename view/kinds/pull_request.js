// The card of one pull request, laid out as Bitbucket lays out its overview.
//
// Never asks the host for anything but through `view.ask`, and reads no clock. Start at pullRequest.

import { el, spelled } from "../el.js";
import { icon } from "../icons.js";
import { markdown, markdownText } from "../markdown.js";
import {
  avatar, isolated, link, listFoot, lozenge, mark, nameOf, nothing, personName, row, section, shortened, unread,
  button,
} from "../parts.js";
import { lengthOf, timeElement } from "../time.js";
import {
  buildCounts, buildSeverity, buildWords, counted, countWords, draftWords, reviewWords, stateWords,
} from "../words.js";

/**
 * What a drawing of this kind carries under `facts`. Times are RFC 3339 in UTC, commits whole SHAs. A field
 * marked `?` may be left out or null. A part that bb could not read is `{unread: "phrase"}` in its place.
 *
 * @typedef {Object} PullRequestFacts
 * @property {string} address The pull request's own page in Bitbucket.
 * @property {Repository} repository The target's.
 * @property {number} id
 * @property {string} title
 * @property {string} state OPEN, MERGED, DECLINED, or what else Bitbucket says.
 * @property {boolean} [draft]
 * @property {boolean} [locked] While it is being merged.
 * @property {Branch} source `source.repository` only where it is another than the target's: a fork.
 * @property {Branch} target
 * @property {Person} author
 * @property {string} created_at
 * @property {string} [updated_at]
 * @property {string} [closed_at]
 * @property {{commit?: string, by?: Person}} [merged] Of a merged one.
 * @property {{nodes: MarkdownNode[], cut?: {shown: number, total: number}} | Unread | null} description
 *   `cut` in characters of the source. Null: it has none.
 * @property {{count: Count, approved: number, listed: Reviewer[]} | Unread} reviewers
 *   Listed as Bitbucket orders them: approved, then requested changes, then the others.
 * @property {MergeChecks | Unread | null} merge_checks Null once it is closed.
 * @property {Tasks | Unread} tasks
 * @property {Builds | Unread} builds
 * @property {Count | null} [comments]
 *
 * @typedef {{unread: string}} Unread
 * @typedef {{project: string, repo: string}} Repository
 * @typedef {{branch: string, commit?: string, address?: string, repository?: Repository | null}} Branch
 * @typedef {{person: Person, status: string, reviewed_older?: boolean}} Reviewer
 *   status APPROVED, NEEDS_WORK or UNAPPROVED; `reviewed_older`: what they reviewed is not the newest commit.
 * @typedef {{can_merge: boolean, conflicted: boolean, vetoes: {summary: string, detail?: string}[],
 *   auto_merge?: boolean}} MergeChecks Vetoes in Bitbucket's words; `auto_merge`: it merges itself once it may.
 * @typedef {{open: Count, resolved?: Count | null, listed: {text: MarkdownNode[], author: Person}[]}} Tasks
 *   `listed` are open ones.
 * @typedef {{of: "pull_request" | "commit", commit: string, count: Count, states: Object<string, number>,
 *   listed: Build[], required: RequiredBuild[] | null}} Builds
 *   `of` "commit": the listing that Bitbucket's page reads could not be had; then `required` is null.
 *   `required` null: bb cannot tell what is required; an empty list: nothing is. `states`: how many are in each.
 * @typedef {{key: string, name?: string, state: string, parent?: string, number?: string, address?: string,
 *   updated_at?: string, duration_ms?: number, tests?: {failed: number, skipped: number, successful: number}}} Build
 *   `duration_ms` only of one that has ended.
 * @typedef {{key: string, met: boolean, state: string | null}} RequiredBuild
 *   `state` of the build that decides: SUCCESSFUL where met, else the worst; null where there is no build.
 */

// Inline, the first drawing fits 640 px at 720 px of width. Heights are reckoned from the data, in px, a little
// too high rather than too low: to measure what is drawn and draw again would make a host's frame swing.
const FIRST_PX = 640;
const HEAD_PX = 182;
const LINE_PX = 20;
const PART_PX = 42;
const FOOT_PX = 26;
const MAX_VETOES = 12;
const STEP = { vetoes: 10, tasks: 5, lines: 20, reviewers: 10, builds: 10 };

/** How this kind is drawn and told of. */
export const pullRequest = {
  name: "pull_request",
  shape: "columns",
  noun: "pull request",
  title: (facts) => `Pull Request #${facts.id}: ${facts.title} - Bitbucket`,
  regions: pullRequestRegions,
  describe: describePullRequest,
  changes: pullRequestChanges,
};

function pullRequestRegions(drawing, view) {
  const facts = drawing.facts;
  const needs = needsOf(facts);
  const room = roomFor(facts, view, needs);
  const region = (name, slot, of, draw) => ({ name, slot, of: [of, room[name] ?? null], draw });
  const head = {
    address: facts.address, repository: facts.repository, id: facts.id, title: facts.title, state: facts.state,
    draft: facts.draft, locked: facts.locked, source: facts.source, target: facts.target, author: facts.author,
    updated_at: facts.updated_at, closed_at: facts.closed_at, merged: facts.merged,
    comments: facts.comments,
  };
  return [
    region("head", "head", head, () => drawHead(head, view)),
    needs.length > 0 ? region("needs", "head", needs, () => drawNeeds(needs)) : null,
    facts.merge_checks ? region("vetoes", "main", facts.merge_checks, () => drawMergeChecks(facts.merge_checks, room, view)) : null,
    hasTasks(facts.tasks) ? region("tasks", "main", facts.tasks, () => drawTasks(facts.tasks, room, view)) : null,
    region("lines", "main", facts.description, () => drawDescription(facts.description, room, view)),
    region("reviewers", "side", facts.reviewers, () => drawReviewers(facts.reviewers, room, view)),
    region("builds", "side", [facts.builds, facts.target?.branch], () => drawBuilds(facts, room, view)),
    Date.parse(facts.created_at) ? region("dates", "foot", [facts.created_at, facts.comments], () => drawCreated(facts, view)) : null,
  ].filter((one) => one !== null);
}

// How much of each list is drawn: all in fullscreen, else what fits one screen, and more at each step asked for.
function roomFor(facts, view, needs) {
  if (view.mode === "fullscreen") return Object.fromEntries(Object.keys(STEP).map((name) => [name, Infinity]));
  const room = firstRoom(facts, needs);
  for (const name of Object.keys(STEP)) room[name] += (view.grown[name] ?? 0) * STEP[name];
  return room;
}

function firstRoom(facts, needs) {
  const title = linesOf(facts.title, 58) - 1;
  const meta = nameOf(facts.author).length + pathOf(facts.source).length + pathOf(facts.target).length < 52 ? 0 : 2;
  const chips = linesOf(needs.map((need) => `${need.words}    `).join(""), 88);
  const columns = FIRST_PX - HEAD_PX - title * 26 - meta * 26 - (needs.length > 0 ? 4 + chips * 34 : 0);
  return { ...mainRoom(facts, columns), ...sideRoom(facts, columns) };
}

// First the checks, then tasks; the description has what is left. `vetoes` is how many lines of each one's detail.
function mainRoom(facts, columns) {
  const checks = facts.merge_checks;
  let left = columns - (checks ? PART_PX : 0) - (checks?.unread ? 40 : 0) - (checks?.conflicted ? 26 : 0) - (checks?.auto_merge ? LINE_PX : 0);
  // Every veto is named; when they are many it is their details that wait for a step.
  const vetoes = (checks?.vetoes ?? []).slice(0, MAX_VETOES);
  const heightWith = (details) => vetoes.reduce((sum, veto) => sum + 6 + LINE_PX * Math.min(2, linesOf(veto.summary, 42)) + 18 * Math.min(details, linesOf(veto.detail, 46)), 0);
  let details = 3;
  while (details > 0 && heightWith(details) + FOOT_PX > left - 120) details -= 1;
  left -= heightWith(details);
  let tasks = 0;
  if (hasTasks(facts.tasks)) left -= PART_PX + (facts.tasks.unread ? 40 : 0) + (facts.tasks.listed?.length > 1 ? FOOT_PX : 0);
  for (const task of facts.tasks?.listed ?? []) {
    const height = 6 + LINE_PX * Math.min(3, linesOf(markdownText(task.text, 200), 28));
    if (left - height < (tasks > 0 ? 150 : 30)) break;
    left -= height;
    tasks += 1;
  }
  return { vetoes: details, tasks, lines: Math.max(2, Math.floor((left - PART_PX - FOOT_PX) / LINE_PX)) };
}

// People as far as they leave a few builds their place; then builds to the end of the screen.
function sideRoom(facts, columns) {
  let left = columns - 2 * PART_PX;
  let reviewers = 0;
  for (const one of facts.reviewers?.listed ?? []) {
    const height = reviewSaid(one) ? 42 : 32;
    if (reviewers > 1 && left - height < 170) break;
    left -= height;
    reviewers += 1;
  }
  if (reviewers < (facts.reviewers?.count?.n ?? 0)) left -= FOOT_PX;
  left -= FOOT_PX + linesOf(buildCounts(facts.builds?.states), 34) * 18 + (facts.builds?.required?.length > 0 ? 2 * LINE_PX : 0);
  let builds = 0;
  for (const one of buildRows(facts.builds)) {
    left -= one.isTall ? 44 : 26;
    if (builds > 1 && left < 0) break;
    builds += 1;
  }
  return { reviewers, builds };
}

function linesOf(text, signs) {
  return Math.ceil(spelled(text ?? "").length / signs);
}

function pathOf(branch) {
  return `${branch?.repository ? `${branch.repository.project}/${branch.repository.repo}:` : ""}${branch?.branch ?? ""}`;
}

/** What needs somebody, each with its words, the gravest first. */
function needsOf(facts) {
  if (facts.state !== "OPEN") return [];
  const needs = [];
  const need = (tone, name, words) => needs.push({ tone, icon: name, words });
  if (facts.locked) need("info", "progress", "Merging");
  if (facts.merge_checks?.conflicted) need("danger", "warning", "Conflicts");
  const failed = facts.builds?.states?.FAILED ?? 0;
  if (failed > 0) need("danger", "failed", counted({ n: failed, exact: facts.builds.count?.exact !== false }, "failed build"));
  const asking = (facts.reviewers?.listed ?? []).filter((one) => one.status === "NEEDS_WORK");
  if (asking.length === 1) need("warning", "needs-work", `${shortened(nameOf(asking[0].person), 20)} requested changes`);
  if (asking.length > 1) need("warning", "needs-work", `${asking.length} reviewers requested changes`);
  if (facts.tasks?.open?.n > 0) need("warning", "task", counted(facts.tasks.open, "open task"));
  return needs;
}

function drawNeeds(needs) {
  return el(
    "ul",
    { class: "needs", "aria-label": "What this pull request needs" },
    needs.map((need) => el("li", { class: `need tone-${need.tone}` }, icon(need.icon), el("span", {}, need.words))),
  );
}

function drawHead(head, view) {
  return el(
    "div",
    { class: "head" },
    el(
      "div",
      { class: "head-top" },
      el(
        "p",
        { class: "crumbs" },
        isolated(`${head.repository?.project}`), el("span", { class: "crumb-rule", "aria-hidden": "true" }, "/"), isolated(`${head.repository?.repo}`),
        el("span", { class: "crumb-rule", "aria-hidden": "true" }, "/"),
        el("span", {}, `Pull request #${head.id}`),
      ),
      el(
        "div",
        { class: "actions" },
        link(head.address, { class: "button button-quiet", "data-focus": "bitbucket" }, icon("out"), el("span", {}, "Open in Bitbucket")),
        view.modes.includes("fullscreen")
          ? button(view.mode === "fullscreen" ? "Exit fullscreen" : "Fullscreen", () => view.ask.mode(), {
              icon: view.mode === "fullscreen" ? "shrink" : "grow", focus: "mode", quiet: true,
            })
          : null,
      ),
    ),
    el("h1", { dir: "auto" }, head.title),
    el(
      "div",
      { class: "meta" },
      lozenge(stateWords(head.state)),
      head.draft ? lozenge(draftWords()) : null,
      el("span", { class: "by" }, avatar(head.author), personName(head.author)),
      el("span", { class: "branches" }, drawBranch(head.source), icon("arrow"), el("span", { class: "unseen" }, " into "), drawBranch(head.target)),
      el("span", { class: "dates" }, drawDates(head, view)),
    ),
  );
}

function drawBranch(branch) {
  const from = branch?.repository ? `${branch.repository.project}/${branch.repository.repo}` : null;
  const full = `${from ? `${from}: ` : ""}${branch?.branch ?? ""}`;
  return el(
    "span",
    { class: "branch", title: full },
    icon("branch"),
    from ? el("span", { class: "fork" }, isolated(from), ":") : null,
    link(branch?.address, { class: "branch-name" }, isolated(branch?.branch ?? "")),
  );
}

function drawDates(head, view) {
  const parts = [];
  const put = (words, at, ...more) => {
    const time = timeElement(at, view.clock);
    if (time) parts.push(el("span", {}, words, " ", time, more));
  };
  if (head.state === "MERGED") {
    const commit = head.merged?.commit;
    put("Merged", head.closed_at, head.merged?.by ? [" by ", personName(head.merged.by)] : null, commit ? [" in ", el("code", {}, commit.slice(0, 11))] : null);
  }
  if (head.state === "DECLINED") put("Declined", head.closed_at);
  if (head.state === "OPEN") put("Updated", head.updated_at);
  return parts;
}

function drawCreated(facts, view) {
  return el(
    "span",
    { class: "quiet dotted" },
    el("span", {}, "Created ", timeElement(facts.created_at, view.clock)),
    facts.comments?.n > 0 ? el("span", {}, counted(facts.comments, "comment")) : null,
  );
}

function drawMergeChecks(checks, room, view) {
  if (checks.unread) return section("checks", "Merge checks", null, unread(checks.unread));
  const vetoes = checks.vetoes ?? [];
  const isWhole = room.vetoes > 3;
  const shown = isWhole ? vetoes : vetoes.slice(0, MAX_VETOES);
  const issues = vetoes.length + (checks.conflicted ? 1 : 0);
  const said = issues > 0 ? counted(issues, "issue preventing merge", "issues preventing merge") : null;
  const isCut = !isWhole && (shown.length < vetoes.length || vetoes.some((veto) => linesOf(veto.detail, 46) > room.vetoes || linesOf(veto.summary, 42) > 2));
  const lines = isWhole ? null : `lines-${room.vetoes}`;
  return section(
    "checks",
    "Merge checks",
    said,
    el(
      "ul",
      { class: "rows" },
      checks.conflicted ? row(mark({ tone: "danger", icon: "warning" }), el("strong", {}, "This pull request has conflicts")) : null,
      shown.map((veto) =>
        row(
          mark({ tone: "danger", icon: "blocked" }),
          el("strong", { dir: "auto", class: isWhole ? null : "lines-2", title: veto.summary }, veto.summary),
          null,
          veto.detail && room.vetoes > 0 ? el("span", { dir: "auto", class: lines, title: veto.detail }, veto.detail) : null,
        ),
      ),
      issues === 0 && checks.can_merge ? row(mark({ tone: "success", icon: "success" }), "Ready to merge") : null,
      issues === 0 && !checks.can_merge ? row(mark({ tone: "danger", icon: "blocked" }), "Bitbucket does not allow merging, and names no reason") : null,
      checks.auto_merge ? row(mark({ tone: "info", icon: "progress" }), "Auto-merge is on: it merges once every check passes") : null,
    ),
    isCut
      ? el("div", { class: "part-foot" }, shown.length < vetoes.length ? el("span", { class: "quiet" }, `Showing ${shown.length} of ${vetoes.length}`) : null,
          button("Show details", () => view.ask.grow("vetoes"), { icon: "more", focus: "grow vetoes", quiet: true, label: "Show the details of the merge checks" }))
      : null,
  );
}

function hasTasks(tasks) {
  return Boolean(tasks?.unread) || tasks?.open?.n > 0 || tasks?.resolved?.n > 0;
}

function drawTasks(tasks, room, view) {
  if (tasks.unread) return section("tasks", "Tasks", null, unread(tasks.unread));
  const said = [counted(tasks.open, "open", "open"), tasks.resolved?.n > 0 ? counted(tasks.resolved, "resolved", "resolved") : ""];
  const listed = tasks.listed ?? [];
  const shown = listed.slice(0, room.tasks);
  if (!(tasks.open?.n > 0)) {
    return section("tasks", "Tasks", null, el("ul", { class: "rows" }, row(mark({ tone: "success", icon: "task-done" }), `All tasks resolved (${countWords(tasks.resolved)})`)));
  }
  return section(
    "tasks",
    "Tasks",
    said.filter((words) => words !== "").join(", "),
    el(
      "ul",
      { class: "rows" },
      shown.map((task) => row(mark({ tone: "warning", icon: "task" }), el("div", { class: "task-text" }, markdown(task.text)), el("span", { class: "quiet" }, personName(task.author)))),
    ),
    listed.length > 0 ? listFoot({ shown: shown.length, carried: listed.length, count: tasks.open, many: "tasks", name: "tasks", ask: view.ask }) : null,
  );
}

function drawDescription(description, room, view) {
  if (description?.unread) return section("description", "Description", null, unread(description.unread));
  const nodes = description?.nodes ?? [];
  if (nodes.length === 0) return section("description", "Description", null, nothing("No description"));
  const cut = description.cut;
  const isClipped = Number.isFinite(room.lines);
  return section(
    "description",
    "Description",
    null,
    el(
      "div",
      { class: isClipped ? "clip" : null, "data-lines": isClipped ? room.lines : null },
      markdown(nodes),
      cut ? el("p", { class: "quiet" }, `Showing the first ${cut.shown} of ${cut.total} characters. The rest is in Bitbucket.`) : null,
    ),
    isClipped
      ? el("div", { class: "part-foot clip-foot", hidden: true }, button("Show more of the description", () => view.ask.grow("lines"), { icon: "more", focus: "grow lines", quiet: true }))
      : null,
  );
}

function drawReviewers(reviewers, room, view) {
  if (reviewers?.unread) return section("reviewers", "Reviewers", null, unread(reviewers.unread));
  const listed = reviewers?.listed ?? [];
  if (listed.length === 0) return section("reviewers", "Reviewers", null, nothing("No reviewers"));
  // Who asked for changes is never behind a click: they come first of what is drawn when not all are.
  const inOrder = listed.length > room.reviewers ? [...listed].sort((a, b) => asks(b) - asks(a)) : listed;
  const shown = inOrder.slice(0, room.reviewers);
  return section(
    "reviewers",
    "Reviewers",
    `${reviewers.approved ?? 0} of ${countWords(reviewers.count)} approved`,
    el(
      "ul",
      { class: "rows people" },
      shown.map((one) => {
        const status = reviewWords(one.status);
        const words = reviewSaid(one);
        return row(avatar(one.person, status), personName(one.person), null, words ? el("span", { class: `tone-text-${status.tone}` }, words) : null);
      }),
    ),
    listFoot({ shown: shown.length, carried: listed.length, count: reviewers.count, many: "reviewers", name: "reviewers", ask: view.ask }),
  );
}

function reviewSaid(one) {
  return [reviewWords(one.status).words, one.reviewed_older ? "older commit" : ""].filter((words) => words !== "").join(", ");
}

function asks(reviewer) {
  return reviewer.status === "NEEDS_WORK" ? 1 : 0;
}

function drawBuilds(facts, room, view) {
  const builds = facts.builds;
  if (builds?.unread) return section("builds", "Builds", null, unread(builds.unread));
  const ofCommit = builds?.of !== "pull_request";
  const title = ofCommit ? ["Builds of commit ", el("code", {}, (builds?.commit ?? "").slice(0, 7))] : "Builds";
  const rows = buildRows(builds);
  if (rows.length === 0) return section("builds", title, null, nothing("No builds"));
  const shown = rows.slice(0, room.builds);
  const ofRequired = shown.filter((one) => one.isRequired);
  const others = shown.filter((one) => !one.isRequired);
  const required = ofCommit ? [] : builds.required ?? [];
  const met = required.filter((one) => one.met).length;
  const isWhole = view.mode === "fullscreen";
  const list = (some) => el("ul", { class: "rows" }, some.map((one) => (one.build ? drawBuild(one, isWhole, view) : drawAwaited(one.awaited))));
  const states = buildCounts(builds.states);
  const sum = Object.values(builds.states ?? {}).reduce((all, n) => all + n, 0);
  const isSaid = builds.count?.exact && sum === builds.count.n && states.length <= 26;
  return section(
    "builds",
    title,
    isSaid ? states : `${countWords(builds.count)} in all`,
    isSaid || states === "" ? null : el("p", { class: "quiet build-counts" }, states),
    ofRequired.length > 0 ? [el("h3", {}, "Required by ", isolated(facts.target?.branch ?? "the target branch"), `: ${met} of ${required.length} successful`), list(ofRequired)] : null,
    ofRequired.length > 0 && others.length > 0 ? el("h3", {}, "Other builds") : null,
    others.length > 0 ? list(others) : null,
    listFoot({
      shown: shown.filter((one) => one.build).length, carried: builds.listed?.length ?? 0, count: builds.count, many: "builds", name: "builds", ask: view.ask,
    }),
  );
}

// Every build, and every required key that no listed build reports under: what needs somebody first.
function buildRows(builds) {
  const required = builds?.of === "pull_request" ? builds.required ?? [] : [];
  const unmet = new Map(required.map((one) => [one.key, !one.met]));
  const listed = builds?.listed ?? [];
  const reported = new Set(listed.map((build) => build.parent));
  const rows = listed.map((build) => {
    const isRequired = unmet.has(build.parent);
    const isUnmet = unmet.get(build.parent) === true && build.state !== "SUCCESSFUL";
    return { build, isRequired, isTall: isRequired || build.state !== "SUCCESSFUL", rank: build.state === "FAILED" ? 0 : isUnmet ? 1 : isRequired ? 3 : 2 + buildSeverity(build.state) };
  });
  const awaited = required.filter((one) => !reported.has(one.key)).map((one) => ({ awaited: one, isRequired: true, isTall: false, rank: one.met ? 3 : 1 }));
  return [...rows, ...awaited].sort((a, b) => a.rank - b.rank);
}

function drawAwaited(one) {
  const isKnown = typeof one.state === "string";
  const status = isKnown ? buildWords(one.state) : { words: "No build yet", tone: "neutral", icon: "unknown" };
  return row(mark(status), isolated(one.key), el("span", { class: `tone-text-${status.tone}` }, status.words));
}

function drawBuild({ build, isTall, isRequired }, isWhole, view) {
  const status = buildWords(build.state);
  const name = build.name || build.key;
  const under = [
    build.parent && build.parent !== name && (isRequired || isWhole) ? isolated(build.parent) : null,
    build.number ? `#${build.number}` : null,
    build.tests?.failed > 0 ? counted(build.tests.failed, "test failed", "tests failed") : null,
    isWhole && build.duration_ms > 0 ? lengthOf(build.duration_ms) : null,
    timeElement(build.updated_at, view.clock),
  ].filter((part) => part !== null);
  return row(
    mark(status),
    link(build.address, { class: "build-name" }, isolated(name)),
    el("span", { class: `tone-text-${status.tone}` }, status.words),
    (isTall || isWhole) && under.length > 0 ? el("span", { class: "dotted" }, under.map((part) => el("span", {}, part))) : null,
  );
}

/** What is on screen, for the model, in one line. */
function describePullRequest(facts) {
  const at = `${facts.repository?.project}/${facts.repository?.repo} #${facts.id}`;
  const parts = [stateWords(facts.state).words.toLowerCase()];
  if (facts.draft) parts.push("draft");
  if (facts.reviewers?.count) parts.push(`${facts.reviewers.approved ?? 0} of ${countWords(facts.reviewers.count)} reviewers approved`);
  for (const need of needsOf(facts)) parts.push(need.words);
  return `On screen: pull request ${at} "${shortened(facts.title, 120)}": ${parts.join(", ")}.`;
}

/** What differs between two states, one sentence each, the gravest first. */
function pullRequestChanges(before, after) {
  const said = [];
  if (before.state !== after.state) said.push(`It is now ${stateWords(after.state).words.toLowerCase()}.`);
  if (before.draft !== after.draft) said.push(after.draft ? "It was marked as draft." : "It was marked as ready for review.");
  if (before.title !== after.title) said.push(`Its title is now "${shortened(after.title, 120)}".`);
  if (!before.merge_checks?.conflicted && after.merge_checks?.conflicted) said.push("It now has conflicts.");
  if (before.merge_checks?.conflicted && after.merge_checks && !after.merge_checks.conflicted) said.push("It has no conflicts any more.");
  if (before.source?.commit !== after.source?.commit) said.push("Its source branch has new commits.");
  const builds = new Map((before.builds?.listed ?? []).map((build) => [build.key, build.state]));
  for (const build of after.builds?.listed ?? []) {
    const was = builds.get(build.key);
    if (was === build.state) continue;
    const words = buildWords(build.state).words.toLowerCase();
    said.push(`Build ${shortened(build.name || build.key, 60)}: ${words}${was ? ` (was ${buildWords(was).words.toLowerCase()})` : ""}.`);
  }
  const reviews = new Map((before.reviewers?.listed ?? []).map((one) => [one.person?.name, one.status]));
  for (const one of after.reviewers?.listed ?? []) {
    const was = reviews.get(one.person?.name);
    if (was === one.status) continue;
    const words = reviewWords(one.status).words.toLowerCase();
    said.push(`${shortened(nameOf(one.person), 60)} ${was === undefined ? "is now a reviewer" : words || "took back the review"}.`);
  }
  const tasks = [before.tasks?.open?.n ?? 0, after.tasks?.open?.n ?? 0];
  if (tasks[0] !== tasks[1]) said.push(`${counted(after.tasks?.open ?? 0, "open task")} (was ${tasks[0]}).`);
  const vetoes = (facts) => (facts.merge_checks?.vetoes ?? []).map((veto) => veto.summary).join("; ");
  if (vetoes(before) !== vetoes(after)) said.push(vetoes(after) ? `Merge checks: ${shortened(vetoes(after), 200)}.` : "No merge check fails any more.");
  if (markdownText(before.description?.nodes, 20_000) !== markdownText(after.description?.nodes, 20_000)) said.push("Its description changed.");
  if ((before.comments?.n ?? 0) !== (after.comments?.n ?? 0)) said.push(`${counted(after.comments, "comment")} (was ${before.comments?.n ?? 0}).`);
  return said.length > 0 ? said : ["It was updated."];
}
