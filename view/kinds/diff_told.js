// What a diff shows and what changed in it, in words for the person and for the model.
//
// Never draws. Start at describeDiff().

import { shortened } from "../parts.js";
import { changeWords, counted, countWords, stateWords } from "../words.js";
import { chosenFile, filesOf } from "./diff_files.js";

/** "Pull request #42", "feature/x against main", "Commit 3f2504e04f8". */
export function nameOfDiff(facts) {
  if (facts.of === "pull_request") return `Pull request #${facts.id}`;
  if (facts.of === "refs") return `${facts.source} against ${facts.target}`;
  return `Commit ${shortCommit(facts.commit)}`;
}

function shortCommit(commit) {
  return (commit ?? "").slice(0, 11);
}

/** What is on screen, for the model, in one line. `chosen`: the path of the file that the person chose. */
export function describeDiff(facts, grown) {
  const at = `${facts.repository?.project}/${facts.repository?.repo}`;
  const title = facts.title ? ` "${shortened(facts.title, 120)}"` : "";
  const { file } = chosenFile(facts, grown?.file);
  const shown = file
    ? `; the person looks at ${shortened(file.path, 200)} (${changeWords(file.kind ?? "Modified").words.toLowerCase()})`
    : "";
  return `On screen: the diff of ${nameOfDiff(facts)} in ${at}${title}: ${counted(facts.count, "file")} changed${shown}.`;
}

/** Whether another state of a diff has other lines: then it is offered, not put in the place of what is read. */
export function isOtherDiff(before, after) {
  const lines = (facts) =>
    JSON.stringify([
      facts.folders,
      (facts.files ?? []).map((file) => [file.in, file.name, file.kind, file.from, codeOf(file)]),
      facts.count,
      facts.unnamed,
    ]);
  return lines(before) !== lines(after);
}

// Lines without the threads on them, which may change in place.
function codeOf(file) {
  return (file.hunks ?? []).map((hunk) => [
    hunk.at,
    hunk.lines.map((line) => (Array.isArray(line) ? line[0] : line)),
  ]);
}

/** What differs between two states, one sentence each, the gravest first. */
export function diffChanges(before, after) {
  const said = [];
  if (before.state !== after.state && after.state)
    said.push(`The pull request is now ${stateWords(after.state).words.toLowerCase()}.`);
  if (before.to_commit !== after.to_commit && after.to_commit)
    said.push(`The diff is now of commit ${shortCommit(after.to_commit)}.`);
  if (before.count?.n !== after.count?.n)
    said.push(`${counted(after.count, "file")} changed (was ${countWords(before.count)}).`);
  const was = new Map(filesOf(before).map((file) => [file.path, file]));
  for (const file of filesOf(after)) {
    const other = was.get(file.path);
    const [n, old] = [file.comments ?? 0, other?.comments ?? 0];
    if (other && n !== old)
      said.push(`${counted(n, "comment")} on ${shortened(file.path, 120)} (was ${old}).`);
    else if (other && isOtherDiff({ files: [other] }, { files: [file] }))
      said.push(`The diff of ${shortened(file.path, 120)} changed.`);
  }
  if (before.title !== after.title && after.title)
    said.push(`Its title is now "${shortened(after.title, 120)}".`);
  return said.length > 0 ? said : ["Its comments changed."];
}
