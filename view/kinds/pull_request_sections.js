// The sections of a pull request's card: merge checks, tasks, description, reviewers, builds.
//
// Never decides how much is drawn: `room` says so (`pull_request_room.js`). Start at drawMergeChecks().

import { el } from "../el.js";
import { icon } from "../icons.js";
import { markdown } from "../markdown.js";
import {
  avatar,
  button,
  isolated,
  link,
  listFoot,
  mark,
  nothing,
  personName,
  row,
  section,
  unread,
} from "../parts.js";
import { lasting } from "../regions.js";
import { lengthOf, timeElement } from "../time.js";
import { buildCounts, buildWords, counted, countWords, reviewWords } from "../words.js";
import { MAX_VETOES, buildRows, linesOf, reviewSaid } from "./pull_request_room.js";

export function drawMergeChecks(checks, room, view) {
  if (checks.unread) return section("checks", "Merge checks", null, unread(checks.unread));
  const vetoes = checks.vetoes ?? [];
  const isWhole = room.vetoes > 3;
  const shown = isWhole ? vetoes : vetoes.slice(0, MAX_VETOES);
  const all = vetoes.length + (checks.left_out ?? 0);
  const issues = all + (checks.conflicted ? 1 : 0);
  const said =
    issues > 0 ? counted(issues, "issue preventing merge", "issues preventing merge") : null;
  const isCut =
    !isWhole &&
    (shown.length < vetoes.length ||
      vetoes.some(
        (veto) => linesOf(veto.detail, 46) > room.vetoes || linesOf(veto.summary, 42) > 2,
      ));
  const lines = isWhole ? null : `lines-${room.vetoes}`;
  return section(
    "checks",
    "Merge checks",
    said,
    el(
      "ul",
      { class: "rows" },
      checks.conflicted
        ? row(
            mark({ tone: "danger", icon: "warning" }),
            el("strong", {}, "This pull request has conflicts"),
          )
        : null,
      shown.map((veto) =>
        row(
          mark({ tone: "danger", icon: "blocked" }),
          el(
            "strong",
            { dir: "auto", class: isWhole ? null : "lines-2", title: veto.summary },
            veto.summary,
          ),
          null,
          veto.detail && room.vetoes > 0
            ? el("span", { dir: "auto", class: lines, title: veto.detail }, veto.detail)
            : null,
        ),
      ),
      issues === 0 && checks.can_merge
        ? row(mark({ tone: "success", icon: "success" }), "Ready to merge")
        : null,
      issues === 0 && !checks.can_merge
        ? row(
            mark({ tone: "danger", icon: "blocked" }),
            "Bitbucket does not allow merging, and names no reason",
          )
        : null,
      checks.auto_merge
        ? row(
            mark({ tone: "info", icon: "progress" }),
            "Auto-merge is on: it merges once every check passes",
          )
        : null,
    ),
    isCut
      ? el(
          "div",
          { class: "part-foot" },
          shown.length < all
            ? el("span", { class: "quiet" }, `Showing ${shown.length} of ${all}`)
            : null,
          button("Show details", () => view.ask.grow("vetoes"), {
            icon: "more",
            focus: "grow vetoes",
            quiet: true,
            label: "Show the details of the merge checks",
          }),
        )
      : listFoot({ shown: shown.length, carried: shown.length, count: { n: all, exact: true } }),
  );
}

export function drawTasks(tasks, room, view) {
  if (tasks.unread) return section("tasks", "Tasks", null, unread(tasks.unread));
  const said = [
    counted(tasks.open, "open", "open"),
    tasks.resolved?.n > 0 ? counted(tasks.resolved, "resolved", "resolved") : "",
  ];
  const listed = tasks.listed ?? [];
  const shown = listed.slice(0, room.tasks);
  if (!(tasks.open?.n > 0)) {
    return section(
      "tasks",
      "Tasks",
      null,
      el(
        "ul",
        { class: "rows" },
        row(
          mark({ tone: "success", icon: "task-done" }),
          `All tasks resolved (${countWords(tasks.resolved)})`,
        ),
      ),
    );
  }
  return section(
    "tasks",
    "Tasks",
    said.filter((words) => words !== "").join(", "),
    el(
      "ul",
      { class: "rows" },
      shown.map((task) =>
        row(
          mark({ tone: "warning", icon: "task" }),
          el("div", { class: "task-text" }, markdown(task.text)),
          el("span", { class: "quiet" }, personName(task.author)),
        ),
      ),
    ),
    tasks.list_unread ? unread(tasks.list_unread) : null,
    listFoot({
      shown: shown.length,
      carried: listed.length,
      count: tasks.open,
      many: "tasks",
      name: "tasks",
      ask: view.ask,
    }),
  );
}

export function drawDescription(description, room, view) {
  if (description?.unread)
    return section("description", "Description", null, unread(description.unread));
  const nodes = description?.nodes ?? [];
  if (nodes.length === 0)
    return section("description", "Description", null, nothing("No description"));
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
      cut
        ? el(
            "p",
            { class: "quiet" },
            `Showing the first ${cut.shown} of ${cut.total} characters. The rest is in Bitbucket.`,
          )
        : null,
    ),
    isClipped
      ? el(
          "div",
          { class: "part-foot clip-foot", hidden: true },
          button("Show more of the description", () => view.ask.grow("lines"), {
            icon: "more",
            focus: "grow lines",
            quiet: true,
          }),
        )
      : null,
  );
}

export function drawReviewers(reviewers, room, view) {
  if (reviewers?.unread) return section("reviewers", "Reviewers", null, unread(reviewers.unread));
  const listed = reviewers?.listed ?? [];
  if (!(reviewers?.count?.n > 0)) return section("reviewers", "Reviewers", null, nothing("No reviewers"));
  // Who asked for changes is never behind a click: they come first of what is drawn when not all are.
  const inOrder =
    listed.length > room.reviewers ? [...listed].sort((a, b) => asks(b) - asks(a)) : listed;
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
        const drawn = row(
          avatar(one.person, status),
          personName(one.person),
          null,
          words ? el("span", { class: `tone-text-${status.tone}` }, words) : null,
        );
        return lasting(drawn, one);
      }),
    ),
    listFoot({
      shown: shown.length,
      carried: listed.length,
      count: reviewers.count,
      many: "reviewers",
      name: "reviewers",
      ask: view.ask,
    }),
  );
}

function asks(reviewer) {
  return reviewer.status === "NEEDS_WORK" ? 1 : 0;
}

export function drawBuilds(facts, room, view) {
  const builds = facts.builds;
  if (builds?.unread) return section("builds", "Builds", null, unread(builds.unread));
  const ofCommit = builds?.of !== "pull_request";
  const title = ofCommit
    ? ["Builds of commit ", el("code", {}, (builds?.commit ?? "").slice(0, 7))]
    : "Builds";
  const rows = buildRows(builds);
  if (rows.length === 0 && !(builds?.count?.n > 0)) return section("builds", title, null, nothing("No builds"));
  const shown = rows.slice(0, room.builds);
  const ofRequired = shown.filter((one) => one.isRequired);
  const others = shown.filter((one) => !one.isRequired);
  const required = ofCommit ? [] : (builds.required ?? []);
  const met = required.filter((one) => one.met).length;
  const isWhole = view.mode === "fullscreen";
  const list = (some) =>
    el(
      "ul",
      { class: "rows" },
      some.map((one) => (one.build ? drawBuild(one, isWhole, view) : drawAwaited(one.awaited))),
    );
  const states = buildCounts(builds.states);
  const sum = Object.values(builds.states ?? {}).reduce((all, n) => all + n, 0);
  const isSaid = builds.count?.exact && sum === builds.count.n && states.length <= 26;
  return section(
    "builds",
    title,
    isSaid ? states : `${countWords(builds.count)} in all`,
    isSaid || states === "" ? null : el("p", { class: "quiet build-counts" }, states),
    ofRequired.length > 0
      ? [
          el(
            "h3",
            {},
            "Required by ",
            isolated(facts.target?.branch ?? "the target branch"),
            `: ${met} of ${required.length} successful`,
          ),
          list(ofRequired),
        ]
      : null,
    ofRequired.length > 0 && others.length > 0 ? el("h3", {}, "Other builds") : null,
    others.length > 0 ? list(others) : null,
    builds.list_unread ? unread(builds.list_unread) : null,
    listFoot({
      shown: shown.filter((one) => one.build).length,
      carried: builds.listed?.length ?? 0,
      count: builds.count,
      many: "builds",
      name: "builds",
      ask: view.ask,
    }),
  );
}

/** A required key that no build decides yet. @param {RequiredBuild} one */
export function drawAwaited(one) {
  const isKnown = typeof one.state === "string";
  const status = isKnown
    ? buildWords(one.state)
    : { words: "No build yet", tone: "neutral", icon: "unknown" };
  return row(
    mark(status),
    isolated(one.key),
    el("span", { class: `tone-text-${status.tone}` }, status.words),
  );
}

/** One build; `isTold`: that it is required is said beside it. */
export function drawBuild({ build, isTall, isRequired, isTold }, isWhole, view) {
  const status = buildWords(build.state);
  const name = build.name || build.key;
  const under = [
    build.parent && build.parent !== name && (isRequired || isWhole)
      ? isolated(build.parent)
      : null,
    build.number ? `#${build.number}` : null,
    build.tests?.failed > 0 ? counted(build.tests.failed, "test failed", "tests failed") : null,
    isWhole && build.duration_ms > 0 ? lengthOf(build.duration_ms) : null,
    timeElement(build.updated_at, view.clock),
  ].filter((part) => part !== null);
  return row(
    mark(status),
    [
      link(build.address, { class: "build-name" }, isolated(name)),
      isTold && isRequired ? el("span", { class: "tag" }, "Required") : null,
    ],
    el("span", { class: `tone-text-${status.tone}` }, status.words),
    (isTall || isWhole) && under.length > 0
      ? el(
          "span",
          { class: "dotted" },
          under.map((part) => el("span", {}, part)),
        )
      : null,
  );
}
