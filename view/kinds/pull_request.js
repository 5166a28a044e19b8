// The card of one pull request, laid out as Bitbucket lays out its overview.
//
// Never asks the host for anything but through `view.ask`, and reads no clock. Start at pullRequest.

import { el } from "../el.js";
import { icon } from "../icons.js";
import { markdown } from "../markdown.js";
import {
  avatar, button, isolated, link, listFoot, lozenge, mark, nothing, personName, row, section, unread,
} from "../parts.js";
import { lengthOf, timeElement } from "../time.js";
import { buildCounts, buildWords, counted, countWords, draftWords, reviewWords, stateWords } from "../words.js";
import { MAX_VETOES, buildRows, hasTasks, linesOf, reviewSaid, roomFor } from "./pull_request_room.js";
import { describePullRequest, needsOf, pullRequestChanges } from "./pull_request_told.js";

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
