// Pull requests as Bitbucket lists them, of a repository or the person's own.
//
// Never asks the host for anything but through `view.ask`, and reads no clock. Start at pullRequests.

import { el } from "../el.js";
import { icon } from "../icons.js";
import { buildsMark, listKind, opener, switcher, tally } from "../list.js";
import { avatar, isolated, lozenge, personName, row, shortened } from "../parts.js";
import { timeElement } from "../time.js";
import { counted, draftWords, reviewWords, sentenceCase, stateWords } from "../words.js";

/**
 * What a drawing of this kind carries under `facts`, beside what every list has (`list.js`). A field marked `?` may
 * be left out. Bitbucket gives no total, so `count` is exact only where the end was read.
 *
 * @typedef {Object} PullRequestsFacts
 * @property {Repository | null} repository Null: the person's own, across repositories.
 * @property {ListedPullRequest[]} listed In Bitbucket's order.
 *
 * @typedef {{repository?: Repository, id: number, title: string, state: string, draft?: boolean, author: Person | null,
 *   source: string, fork?: Repository, target: string, updated_at: string | null, closed_at?: string, address?: string,
 *   reviewers: {count: Count, approved: number, needs_work?: number, listed: {person: Person, status: string}[]},
 *   comments?: number, open_tasks?: number, builds?: Object<string, number>}} ListedPullRequest
 *   `repository` only across repositories; `fork` where the source is elsewhere. Of the reviewers a few are listed:
 *   who requested changes first. `builds`: how many of the newest commit's are in each state.
 */

const STATE_CHOICES = ["OPEN", "MERGED", "DECLINED", "ALL"].map((state) => [
  state,
  sentenceCase(state),
]);
const ROLE_CHOICES = [
  ["", "Any role"],
  ...["author", "reviewer", "participant"].map((role) => [role, sentenceCase(role)]),
];

/** How this kind is drawn and told of. */
export const pullRequests = listKind({
  name: "pull_requests",
  title: (facts) =>
    facts.repository
      ? `${wordsOf(facts)} of ${slugOf(facts.repository)}`
      : `Your ${wordsOf(facts)}`,
  id: numberOf,
  words: (one) =>
    `${numberOf(one)} "${shortened(one.title, 60)}", ${stateWords(one.state).words.toLowerCase()}`,
  list(facts, view, show) {
    const { asked, repository } = facts;
    const turn = ({ start, ...other }) => view.ask.open(other);
    const canTurn = view.opens("pull_requests");
    return {
      crumbs: repository ? [] : ["All repositories"],
      heading: repository ? sentenceCase(wordsOf(facts)) : `Your ${wordsOf(facts)}`,
      none: `No ${wordsOf(facts)}`,
      tools: canTurn
        ? [
            switcher("State", STATE_CHOICES, stateOf(facts), (state) => turn({ ...show, state })),
            repository
              ? null
              : switcher("Your role", ROLE_CHOICES, asked.role ?? "", (role) =>
                  turn({ ...show, role: role || null }),
                ),
          ]
        : null,
      row: (one) => drawPullRequest(one, facts, view),
    };
  },
});

function stateOf(facts) {
  return facts.asked.state ?? "OPEN";
}

function wordsOf(facts) {
  return stateOf(facts) === "ALL"
    ? "pull requests"
    : `${stateOf(facts).toLowerCase()} pull requests`;
}

function slugOf(repository) {
  return `${repository.project}/${repository.repo}`;
}

function numberOf(one) {
  return `${one.repository ? slugOf(one.repository) : ""}#${one.id}`;
}

function drawPullRequest(one, facts, view) {
  const { project, repo } = one.repository ?? facts.repository;
  const { approved, needs_work: asking, listed, count } = one.reviewers;
  const others = count.n - listed.length;
  const said = [
    approved > 0 ? `${approved} approved` : "",
    asking > 0 ? `${asking} requested changes` : "",
  ];
  const closed = one.closed_at && one.state !== "OPEN";
  const time = timeElement(closed ? one.closed_at : one.updated_at, view.clock);
  const under = [
    isolated(numberOf(one)),
    personName(one.author),
    time ? [closed ? stateWords(one.state).words.toLowerCase() : "updated", " ", time] : null,
    said.filter((words) => words).join(", ") || null,
    el(
      "span",
      { class: "way" },
      isolated(`${one.fork ? `${slugOf(one.fork)}:` : ""}${one.source}`),
      " → ",
      isolated(one.target),
    ),
  ];
  return row(
    avatar(one.author),
    [
      opener(
        view,
        { kind: "pull_request", project, repo, id: one.id },
        one.address,
        `open ${numberOf(one)}`,
        isolated(one.title),
      ),
      one.state === stateOf(facts) ? null : lozenge(stateWords(one.state)),
      one.draft ? lozenge(draftWords()) : null,
    ],
    [
      buildsMark(one.builds),
      counts(one.open_tasks, "task", "open task"),
      counts(one.comments, "comment", "comment"),
      listed.map(({ person, status }) => avatar(person, reviewWords(status))),
      others > 0 ? `+${others}` : null,
    ],
    el(
      "span",
      { class: "dotted" },
      under.map((part) => (part ? el("span", {}, part) : null)),
    ),
  );
}

function counts(n, sign, noun) {
  return n > 0 ? tally(icon(sign), n, counted(n, noun)) : null;
}
