// Commits as Bitbucket's Commits tab lists them, each with the way to its diff.
//
// Never asks the host for anything but through `view.ask`, and reads no clock. Start at commits.

import { el } from "../el.js";
import { buildsMark, listKind, opener } from "../list.js";
import { avatar, isolated, link, personName, row, shortened } from "../parts.js";
import { timeElement } from "../time.js";

/**
 * What a drawing of this kind carries under `facts`, beside what every list has (`list.js`). A field marked `?` may
 * be left out. `count` is Bitbucket's own.
 *
 * @typedef {Object} CommitsFacts
 * @property {Repository} repository
 * @property {string} commit_address What a commit's address begins with; its id follows.
 * @property {{id: string, subject: string, more?: boolean, merge?: boolean, author: Person | null, at: string | null,
 *   builds?: Object<string, number>}[]} listed Newest first; `more`: the message says more than its first line.
 */

/** How this kind is drawn and told of. */
export const commits = listKind({
  name: "commits",
  title: ({ repository: { project, repo }, asked }) =>
    `Commits of ${asked.id ? `pull request #${asked.id} of ` : ""}${project}/${repo}`,
  id: (one) => one.id,
  words: (one) => `${one.id.slice(0, 11)} "${shortened(one.subject, 60)}"`,
  list({ repository: { project, repo }, asked, commit_address: base }, view) {
    return {
      crumbs: asked.id ? [`Pull request #${asked.id}`] : [],
      heading: "Commits",
      none: "No commits",
      row: (one) => drawCommit(one, { kind: "diff", project, repo, commit_id: one.id }, base, view),
    };
  },
});

function drawCommit(one, show, base, view) {
  const time = timeElement(one.at, view.clock);
  const address = `${base}${one.id}`;
  return row(
    avatar(one.author),
    [
      opener(
        view,
        show,
        address,
        `open ${one.id}`,
        isolated(one.subject || "(no message)"),
        one.more ? " …" : null,
      ),
      one.merge ? el("span", { class: "tag" }, "Merge") : null,
    ],
    buildsMark(one.builds),
    el(
      "span",
      { class: "dotted" },
      el("span", {}, personName(one.author)),
      el("span", {}, link(address, {}, el("code", {}, one.id.slice(0, 11)))),
      time ? el("span", {}, time) : null,
    ),
  );
}
