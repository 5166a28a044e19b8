// Builds as Bitbucket's Builds tab lists them, the failed ones first.
//
// Never asks the host for anything but through `view.ask`, and reads no clock. Start at builds.

import { el } from "../el.js";
import { listKind } from "../list.js";
import { isolated, shortened } from "../parts.js";
import { buildCounts, buildWords, countWords } from "../words.js";
import { drawAwaited, drawBuild } from "./pull_request_sections.js";

/**
 * What a drawing of this kind carries under `facts`, beside what every list has (`list.js`). A field marked `?` may
 * be left out.
 *
 * @typedef {Object} BuildsFacts
 * @property {"pull_request" | "commit"} of "commit": not the listing that the pull request's page reads.
 * @property {Repository | null} repository Null: a commit alone was named.
 * @property {number | null} id The pull request's.
 * @property {string} [title] Its title.
 * @property {string} [target] Its target branch.
 * @property {string} commit Whole.
 * @property {Object<string, number>} states How many of all are in each.
 * @property {RequiredBuild[] | null} required Null: bb cannot tell what is required; an empty list: nothing is.
 * @property {Build[]} listed As on a pull request's card, the worst first.
 */

/** How this kind is drawn and told of. */
export const builds = listKind({
  name: "builds",
  title: (facts) =>
    facts.of === "commit"
      ? ofCommit(facts)
      : `Builds of pull request #${facts.id} of ${facts.repository?.project}/${facts.repository?.repo}`,
  id: (one) => one.key,
  words: (one) => `${shortened(one.name || one.key, 60)}: ${buildWords(one.state).words}`,
  list(facts, view) {
    const { of, repository, id, count, states } = facts;
    const required = facts.required ?? [];
    const keys = new Set(required.map((one) => one.key));
    return {
      crumbs: id ? [`Pull request #${id}`] : [],
      heading: of === "commit" ? ofCommit(facts) : "Builds",
      sum: count.n > 0 ? `${countWords(count)} in all: ${buildCounts(states)}` : "",
      none: "No builds",
      tools: required.length > 0 ? drawRequired(required, facts.target) : null,
      row(build) {
        const isRequired = keys.has(build.parent);
        return drawBuild({ build, isTall: true, isRequired, isTold: true }, true, view);
      },
    };
  },
});

function ofCommit(facts) {
  return `Builds of commit ${facts.commit.slice(0, 7)}`;
}

// How many are met, and those that no build reports under: the list itself cannot show these.
function drawRequired(required, target) {
  const met = required.filter((one) => one.met).length;
  const missing = required.filter((one) => one.state === null);
  return [
    el(
      "h2",
      {},
      "Required by ",
      isolated(target || "the target branch"),
      `: ${met} of ${required.length} successful`,
    ),
    missing.length > 0 ? el("ul", { class: "rows list" }, missing.map(drawAwaited)) : null,
  ];
}
