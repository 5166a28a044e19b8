// The files of a diff: what each one is, and the tree or the list that they are chosen from.
//
// Never draws a file's lines. Start at filesOf().

import { el } from "../el.js";
import { icon } from "../icons.js";
import { isolated } from "../parts.js";
import { growLater } from "../paint.js";
import { changeWords, counted, countWords } from "../words.js";

const FIRST_FILES = 40;
const STEP_FILES = 40;

/** Every named file with its whole path. @param {DiffFacts} facts */
export function filesOf(facts) {
  return (facts.files ?? []).map((file) => {
    const folder = facts.folders?.[file.in] ?? "";
    return { ...file, folder, path: folder ? `${folder}/${file.name}` : file.name };
  });
}

/** The file on screen: the one that the person chose, else the one that was asked for. */
export function chosenFile(facts, chosen) {
  const files = filesOf(facts);
  const at = files.findIndex((file) => file.path === chosen);
  const index = at >= 0 ? at : Math.min(facts.first ?? 0, files.length - 1);
  return { files, index, file: files[index] };
}

/** Whether what there is of a file came with the drawing. */
export function isCarried(file) {
  return Boolean(file.hunks || file.why);
}

/** "12 files changed", or how many of them are named. */
export function countOfFiles(facts) {
  const total = facts.count ?? { n: facts.files?.length ?? 0, exact: true };
  const words = `${counted(total, "file")} changed`;
  const named = facts.files?.length ?? 0;
  return named < total.n ? `${words}, ${named} of ${countWords(total)} named here` : words;
}

/** The folders and files as Bitbucket's page has them: a folder with nothing but a folder is one with it. */
export function drawTree(facts, choose) {
  const root = { name: "", folders: new Map(), items: [] };
  for (const file of filesOf(facts)) {
    let at = root;
    for (const name of file.folder === "" ? [] : file.folder.split("/")) {
      if (!at.folders.has(name)) {
        const folder = { name, folders: new Map(), items: [] };
        at.folders.set(name, folder);
        at.items.push(folder);
      }
      at = at.folders.get(name);
    }
    at.items.push(file);
  }
  const list = el("ul", { class: "tree-list" });
  const waiting = [...root.items].reverse().map((item) => ({ item, into: list, above: "" }));
  const put = (most) => {
    for (let n = 0; n < most && waiting.length > 0; n += 1) {
      const { item, into, above } = waiting.pop();
      if (!item.items) {
        into.append(el("li", {}, fileButton(item, item.name, choose)));
        continue;
      }
      const { folder, name } = joinedFolder(item);
      const path = `${above}${name}/`;
      const inner = el("ul", { class: "tree-list" });
      into.append(
        el(
          "li",
          {},
          el(
            "details",
            { open: true, "data-keep": `folder ${path}` },
            el("summary", { "data-focus": `folder ${path}` }, icon("folder"), isolated(name)),
            inner,
          ),
        ),
      );
      for (const below of [...folder.items].reverse())
        waiting.push({ item: below, into: inner, above: path });
    }
    return waiting.length > 0;
  };
  if (put(FIRST_FILES)) growLater(list, () => put(STEP_FILES));
  return el("nav", { class: "tree", "aria-label": "Changed files" }, list);
}

/** Some files one below the other, each with its whole path. */
export function drawList(files, choose) {
  return el(
    "ul",
    { class: "file-list" },
    files.map((file) => el("li", {}, fileButton(file, file.path, choose))),
  );
}

/** Files without a name here, by folder. */
export function drawUnnamed(facts) {
  const folders = facts.unnamed ?? [];
  if (folders.length === 0) return null;
  return el(
    "details",
    { class: "unnamed", "data-keep": "unnamed" },
    el(
      "summary",
      { "data-focus": "unnamed" },
      counted(
        folders.reduce((sum, [, n]) => sum + n, 0),
        "file",
      ),
      " not named here, by folder",
    ),
    el(
      "ul",
      { class: "file-list" },
      folders.map(([folder, n]) =>
        el("li", { class: "quiet" }, isolated(folder || "/"), `: ${counted(n, "file")}`),
      ),
    ),
  );
}

function joinedFolder(given) {
  let [folder, name] = [given, given.name];
  while (folder.items.length === 1 && folder.items[0].items) {
    folder = folder.items[0];
    name = `${name}/${folder.name}`;
  }
  return { folder, name };
}

/** How the button of a file is found again. */
export function fileFocus(path) {
  return `file ${path}`;
}

function fileButton(file, words, choose) {
  const change = changeWords(file.kind ?? "Modified");
  return el(
    "button",
    {
      type: "button",
      class: "file",
      title: file.from ? `${change.words} from ${file.from}` : `${change.words}: ${file.path}`,
      "data-focus": fileFocus(file.path),
      click: () => choose(file),
    },
    icon(file.node === "folder" || file.node === "submodule" ? "folder" : "file"),
    isolated(words, `file-name${file.kind === "Deleted" ? " is-deleted" : ""}`),
    file.conflict ? el("span", { class: "mark tone-danger" }, icon("warning"), el("span", { class: "unseen" }, "conflict")) : null,
    file.comments > 0
      ? el(
          "span",
          { class: "file-comments" },
          icon("comment"),
          `${file.comments}`,
          el("span", { class: "unseen" }, " comments"),
        )
      : null,
    el(
      "span",
      { class: `letter tone-${change.tone}`, "aria-hidden": "true" },
      change.letter,
    ),
    el("span", { class: "unseen" }, change.words),
  );
}
