// What a pull request needs, what is on screen, and what changed, in words for the person and for the model.
//
// Never draws. Start at needsOf().

import { markdownText } from "../markdown.js";
import { nameOf, shortened } from "../parts.js";
import { buildWords, counted, reviewWords, stateWords } from "../words.js";

/** What needs somebody, each with its words, the gravest first. @param {PullRequestFacts} facts */
export function needsOf(facts) {
  if (facts.state !== "OPEN") return [];
  const needs = [];
  const need = (tone, name, words) => needs.push({ tone, icon: name, words });
  if (facts.locked) need("info", "progress", "Merging");
  if (facts.merge_checks?.conflicted) need("danger", "warning", "Conflicts");
  const failed = facts.builds?.states?.FAILED ?? 0;
  if (failed > 0)
    need(
      "danger",
      "failed",
      counted({ n: failed, exact: facts.builds.count?.exact !== false }, "failed build"),
    );
  const asking = (facts.reviewers?.listed ?? []).filter((one) => one.status === "NEEDS_WORK");
  if (asking.length === 1)
    need("warning", "needs-work", `${shortened(nameOf(asking[0].person), 20)} requested changes`);
  if (asking.length > 1)
    need("warning", "needs-work", `${asking.length} reviewers requested changes`);
  if (facts.tasks?.open?.n > 0) need("warning", "task", counted(facts.tasks.open, "open task"));
  return needs;
}

/** What is on screen, for the model, in one line. */
export function describePullRequest(facts) {
  const at = `${facts.repository?.project}/${facts.repository?.repo} #${facts.id}`;
  const parts = [stateWords(facts.state).words.toLowerCase()];
  if (facts.draft) parts.push("draft");
  if (facts.reviewers?.count)
    parts.push(
      `${facts.reviewers.approved ?? 0} of ${counted(facts.reviewers.count, "reviewer")} approved`,
    );
  for (const need of needsOf(facts)) parts.push(need.words);
  return `On screen: pull request ${at} "${shortened(facts.title, 120)}": ${parts.join(", ")}.`;
}

// Those that came since; a drawing of another part of the activity tells nothing of that.
function newComments(before, after) {
  const all = ({ activity }) =>
    (activity?.listed ?? []).flatMap((entry) => entry.thread?.comments ?? []);
  if (!before.activity?.listed || before.activity.start !== after.activity?.start) return [];
  const newest = Math.max(0, ...all(before).map((one) => one.id));
  return all(after)
    .filter((one) => one.id > newest)
    .slice(0, 10);
}

/** What differs between two states, one sentence each, the gravest first. */
export function pullRequestChanges(before, after) {
  const said = [];
  if (before.state !== after.state)
    said.push(`It is now ${stateWords(after.state).words.toLowerCase()}.`);
  if (before.draft !== after.draft)
    said.push(after.draft ? "It was marked as draft." : "It was marked as ready for review.");
  if (before.title !== after.title) said.push(`Its title is now "${shortened(after.title, 120)}".`);
  if (!before.merge_checks?.conflicted && after.merge_checks?.conflicted)
    said.push("It now has conflicts.");
  if (before.merge_checks?.conflicted && after.merge_checks && !after.merge_checks.conflicted)
    said.push("It has no conflicts any more.");
  if (before.source?.commit !== after.source?.commit)
    said.push("Its source branch has new commits.");
  const builds = new Map((before.builds?.listed ?? []).map((build) => [build.key, build.state]));
  for (const build of after.builds?.listed ?? []) {
    const was = builds.get(build.key);
    if (was === build.state) continue;
    const words = buildWords(build.state).words.toLowerCase();
    said.push(
      `Build ${shortened(build.name || build.key, 60)}: ${words}${was ? ` (was ${buildWords(was).words.toLowerCase()})` : ""}.`,
    );
  }
  const reviews = new Map(
    (before.reviewers?.listed ?? []).map((one) => [one.person?.name, one.status]),
  );
  for (const one of after.reviewers?.listed ?? []) {
    const was = reviews.get(one.person?.name);
    if (was === one.status) continue;
    const words = reviewWords(one.status).words.toLowerCase();
    said.push(
      `${shortened(nameOf(one.person), 60)} ${was === undefined ? "is now a reviewer" : words || "took back the review"}.`,
    );
  }
  const tasks = [before.tasks?.open?.n ?? 0, after.tasks?.open?.n ?? 0];
  if (tasks[0] !== tasks[1])
    said.push(`${counted(after.tasks?.open ?? 0, "open task")} (was ${tasks[0]}).`);
  const vetoes = (facts) =>
    (facts.merge_checks?.vetoes ?? []).map((veto) => veto.summary).join("; ");
  if (vetoes(before) !== vetoes(after))
    said.push(
      vetoes(after)
        ? `Merge checks: ${shortened(vetoes(after), 200)}.`
        : "No merge check fails any more.",
    );
  if (
    markdownText(before.description?.nodes, 20_000) !==
    markdownText(after.description?.nodes, 20_000)
  )
    said.push("Its description changed.");
  const written = newComments(before, after);
  for (const one of written)
    said.push(
      `${shortened(nameOf(one.by), 60)} wrote: "${shortened(markdownText(one.text?.nodes, 300), 160)}".`,
    );
  if (written.length === 0 && (before.comments?.n ?? 0) !== (after.comments?.n ?? 0))
    said.push(`${counted(after.comments, "comment")} (was ${before.comments?.n ?? 0}).`);
  return said.length > 0 ? said : ["It was updated."];
}
