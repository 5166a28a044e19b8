// The card of one pull request, laid out as Bitbucket lays out its overview.
//
// Never asks the host for anything but through `view.ask`, and reads no clock. Start at pullRequest.

import { el } from "../el.js";
import { icon } from "../icons.js";
import {
  branchChip,
  branches,
  byline,
  isolated,
  lozenge,
  pageHead,
  personName,
} from "../parts.js";
import { timeElement } from "../time.js";
import { counted, draftWords, stateWords } from "../words.js";
import { activityRegions } from "./pull_request_activity.js";
import { BAR_PLACES, barOf, drawBar } from "./pull_request_deeds.js";
import { hasTasks, roomFor } from "./pull_request_room.js";
import { describePullRequest, needsOf, pullRequestChanges } from "./pull_request_told.js";
import {
  drawBuilds,
  drawDescription,
  drawMergeChecks,
  drawReviewers,
  drawTasks,
} from "./pull_request_sections.js";

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
 * @property {number} [version] That a merge is asked for with.
 * @property {{name: string, author: boolean, status?: string} | null} [me] Who looks, and what they have said of it.
 * @property {{id: string, name: string}[]} [merge_strategies] Those to choose from, where they are known.
 * @property {Activity} [activity] See `pull_request_activity.js`.
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
  const bar = barOf(facts, view);
  const isOlder = facts.activity?.start > 0;
  const room = roomFor(facts, view, needs, bar);
  const region = (name, slot, of, draw) => ({ name, slot, of: [of, room[name] ?? null], draw });
  const head = {
    address: facts.address,
    repository: facts.repository,
    id: facts.id,
    title: facts.title,
    state: facts.state,
    draft: facts.draft,
    locked: facts.locked,
    source: facts.source,
    target: facts.target,
    author: facts.author,
    updated_at: facts.updated_at,
    closed_at: facts.closed_at,
    merged: facts.merged,
    comments: facts.comments,
  };
  const top = [
    region("head", "head", head, () => drawHead(head, view)),
    bar
      ? region(
          "bar",
          "head",
          [bar, view.desk.isBusy(), BAR_PLACES.map(view.desk.at)],
          () => drawBar(bar, facts, view),
        )
      : null,
  ];
  const activity = activityRegions(drawing, room, view);
  if (isOlder) return [...top, ...activity].filter((one) => one !== null);
  return [
    ...top,
    needs.length > 0 ? region("needs", "head", needs, () => drawNeeds(needs)) : null,
    facts.merge_checks
      ? region("vetoes", "main", facts.merge_checks, () =>
          drawMergeChecks(facts.merge_checks, room, view),
        )
      : null,
    hasTasks(facts.tasks)
      ? region("tasks", "main", facts.tasks, () => drawTasks(facts.tasks, room, view))
      : null,
    region("lines", "main", facts.description, () =>
      drawDescription(facts.description, room, view),
    ),
    region("reviewers", "side", facts.reviewers, () => drawReviewers(facts.reviewers, room, view)),
    region("builds", "side", [facts.builds, facts.target?.branch], () =>
      drawBuilds(facts, room, view),
    ),
    ...activity,
    Date.parse(facts.created_at)
      ? region("dates", "foot", [facts.created_at, facts.comments], () => drawCreated(facts, view))
      : null,
  ].filter((one) => one !== null);
}

function drawNeeds(needs) {
  return el(
    "ul",
    { class: "needs", "aria-label": "What this pull request needs" },
    needs.map((need) =>
      el("li", { class: `need tone-${need.tone}` }, icon(need.icon), el("span", {}, need.words)),
    ),
  );
}

function drawHead(head, view) {
  const meta = [
    lozenge(stateWords(head.state)),
    head.draft ? lozenge(draftWords()) : null,
    byline(head.author),
    branches(drawBranch(head.source), drawBranch(head.target)),
    el("span", { class: "dates" }, drawDates(head, view)),
  ];
  const { title, address } = head;
  return pageHead(
    head.repository,
    [`Pull request #${head.id}`],
    { title, address, meta },
    view,
  );
}

function drawBranch(branch) {
  const from = branch?.repository ? `${branch.repository.project}/${branch.repository.repo}` : null;
  return branchChip(
    branch?.branch,
    `${from ? `${from}: ` : ""}${branch?.branch ?? ""}`,
    from ? el("span", { class: "fork" }, isolated(from), ":") : null,
    branch?.address,
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
    put(
      "Merged",
      head.closed_at,
      head.merged?.by ? [" by ", personName(head.merged.by)] : null,
      commit ? [" in ", el("code", {}, commit.slice(0, 11))] : null,
    );
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
