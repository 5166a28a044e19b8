// What the person may do to a pull request as a whole, and its other views.
//
// Never decides whether Bitbucket allows it: it offers what the state, the merge checks and the server let stand. Start
// at drawBar().

import { el } from "../el.js";
import { deedButton, deedSaid, openButton } from "../deeds.js";
import { button, isolated } from "../parts.js";

const TABS = [
  ["pull_request", "Overview"],
  ["diff", "Diff"],
  ["commits", "Commits"],
  ["builds", "Builds"],
];

/** The places at which deeds of the pull request as a whole are told of. */
export const BAR_PLACES = ["review", "merge", "decline", "state"];

/** What identifies the pull request to every tool. @param {PullRequestFacts} facts */
export function targetOf(facts) {
  return { project: facts.repository?.project, repo: facts.repository?.repo, id: facts.id };
}

/** What is offered, as plain data: words, tool, arguments. Null where nothing is. @param {PullRequestFacts} facts */
export function barOf(facts, view) {
  const tabs = TABS.filter(([kind]) => view.opens(kind));
  const deeds = deedsOf(facts).filter((deed) => view.may(deed.tool));
  if (tabs.length < 2 && deeds.length === 0) return null;
  return { tabs: tabs.length > 1 ? tabs : [], deeds };
}

function deedsOf(facts) {
  const target = targetOf(facts);
  const name = `pull request #${facts.id}`;
  const deed = (place, words, tool, args, told, more = {}) => ({
    place,
    words,
    tool,
    args: { ...target, ...args },
    told: `The person ${told} ${name}.`,
    // What a question is about: with another version or commit it is another question.
    of: `${facts.version} ${facts.source?.commit}`,
    ...more,
  });
  if (facts.state === "DECLINED")
    return [deed("state", "Reopen", "reopen_pull_request", {}, "reopened")];
  if (facts.state !== "OPEN" || facts.locked) return [];
  const { status, author } = facts.me ?? {};
  const review = (is, words, action, told, more) =>
    deed(
      "review",
      words[is ? 1 : 0],
      "submit_pr_review",
      { action: is ? "unapprove" : action },
      is ? "took back their review of" : told,
      { ...more, key: action, pressed: is, label: is ? `${words[1]}: take it back` : undefined },
    );
  const checks = facts.merge_checks;
  const all = [];
  if (!author) {
    const isApproved = status === "APPROVED";
    const asks = status === "NEEDS_WORK";
    all.push(
      review(isApproved, ["Approve", "Approved"], "approve", "approved", { icon: "check" }),
      review(asks, ["Request changes", "Changes requested"], "needs_work", "requested changes to", {
        icon: "needs-work",
      }),
    );
  }
  if (facts.draft)
    all.push(
      deed("state", "Mark as ready", "update_pull_request", { draft: false }, "marked as ready"),
    );
  if (checks?.can_merge && !checks.conflicted && !facts.draft)
    all.push(
      deed("merge", "Merge", "merge_pull_request", { version: facts.version }, "merged", {
        icon: "merged",
        asks: true,
      }),
    );
  all.push(deed("decline", "Decline", "decline_pull_request", {}, "declined", { asks: true }));
  return all;
}

/** The other views, and what can be done. @param {{tabs: string[][], deeds: Object[]}} bar */
export function drawBar(bar, facts, view) {
  const { desk } = view;
  const opened = bar.deeds.find((deed) => deed.asks && desk.at(deed.place).open);
  return el(
    "div",
    { class: "bar" },
    bar.tabs.length > 0
      ? el(
          "nav",
          { class: "tabs", "aria-label": "Views of this pull request" },
          bar.tabs.map(([kind, words]) =>
            button(
              words,
              () => kind !== "pull_request" && view.ask.open({ kind, ...targetOf(facts) }),
              { quiet: true, focus: `tab ${kind}`, current: kind === "pull_request" },
            ),
          ),
        )
      : null,
    el(
      "div",
      { class: "actions" },
      bar.deeds.map((deed) =>
        deed.asks
          ? openButton(deed.words, deed.place, view, { ...deed, quiet: false })
          : deedButton(deed.words, deed, view, deed),
      ),
    ),
    opened ? drawQuestion(opened, facts, view) : null,
    BAR_PLACES.map((place) => deedSaid(place, view)),
  );
}

// What ends a pull request takes two presses, whether or not the client asks as well. A question that was opened with
// another state than this one cannot be answered, for nobody has read it of this one.
function drawQuestion(deed, facts, view) {
  const { place } = deed;
  const { of } = view.desk.at(place);
  const isPast = of !== deed.of;
  const strategies = place === "merge" ? (facts.merge_strategies ?? []) : [];
  const what = isPast
    ? "It has moved on since you were asked."
    : place === "merge"
      ? [
          "Merge ",
          isolated(facts.source?.branch ?? ""),
          " into ",
          isolated(facts.target?.branch ?? ""),
          Number.isInteger(facts.version) ? `, as it is in version ${facts.version}?` : "?",
        ]
      : "Decline this pull request?";
  const press = (words, args, key) =>
    deedButton(words, { ...deed, key, args: { ...deed.args, ...args } }, view, { main: true });
  return el(
    "div",
    { class: "question" },
    el("p", { tabindex: -1, "data-focus": `text ${place}` }, what),
    el(
      "div",
      { class: "actions" },
      isPast
        ? button("Ask again", () => view.desk.toggle(place, deed.of), { focus: `again ${place}` })
        : strategies.length > 0
          ? strategies.map((one) => press(one.name, { strategy: one.id }, one.id))
          : press(deed.words, {}, "yes"),
      button("Cancel", () => view.desk.toggle(place, of), {
        quiet: true,
        focus: `cancel ${place}`,
        busy: view.desk.isBusy(),
      }),
    ),
  );
}
