// A diff, laid out as Bitbucket's diff page: the files, and one of them at a time.
//
// Never asks the host for anything but through `view.ask`, and reads no clock. Start at diff.

import { drawLines, drawThread, rowsWithin } from "../diff.js";
import { placedThreads } from "../diff_rows.js";
import { el } from "../el.js";
import { icon } from "../icons.js";
import {
  branchChip,
  branches,
  button,
  byline,
  isolated,
  listFoot,
  lozenge,
  nothing,
  pageHead,
} from "../parts.js";
import { threadHeight } from "../threads.js";
import { timeElement } from "../time.js";
import { changeWords, counted, draftWords, stateWords } from "../words.js";
import {
  chosenFile,
  countOfFiles,
  drawList,
  drawTree,
  drawUnnamed,
  fileFocus,
  isCarried,
} from "./diff_files.js";
import { lineWriting, settleLines } from "./diff_writing.js";
import { describeDiff, diffChanges, isOtherDiff, nameOfDiff } from "./diff_told.js";

/**
 * What a drawing of this kind carries under `facts`. What is the same for most files is left out.
 *
 * @typedef {Object} DiffFacts
 * @property {"pull_request" | "refs" | "commit"} of
 * @property {string} [address] Its page in Bitbucket.
 * @property {Repository} repository
 * @property {number} [id] With `title`, `state`, `draft`, `source`, `target`, `author`: of a pull request.
 * @property {string} [commit] With `title`, `author`, `at`: of a commit. Two refs have `source` and `target`.
 * @property {string} from_commit
 * @property {string} to_commit
 * @property {Count} count Of files, Bitbucket's.
 * @property {number} context_lines Unchanged lines around a change, as asked for.
 * @property {boolean} [ignores_whitespace]
 * @property {boolean} [cut] Bitbucket cut it at its own limit.
 * @property {string[]} [notes] What could not be read, a sentence each.
 * @property {string[]} folders
 * @property {DiffFile[]} files In Bitbucket's order.
 * @property {number} first Which of `files` was asked for.
 * @property {[string, number][]} [unnamed] Files that have no name here, by folder.
 * @property {number} [next] The place in Bitbucket's order of the first of these.
 *
 * @typedef {{in: number, name: string, kind?: string, from?: string, node?: "folder" | "submodule",
 *   executable?: [boolean, boolean], conflict?: boolean, comments?: number, sums?: [number, number],
 *   why?: "binary" | "same" | "strange", hunks?: DiffHunk[], ends?: boolean, cut?: boolean, left_out?: number,
 *   threads?: Object<number, DiffThread>, file_threads?: DiffThread[], more_threads?: number}} DiffFile
 *   `more_threads`: on the file, or on lines that are not here, and not carried.
 *   `in`: its folder's place in `folders`; `kind`: Modified where absent; `from`: where it was; `why`: why it has no
 *   lines; neither `why` nor `hunks`: they are not carried; `ends`: line ends alone differ; `cut`: by Bitbucket;
 *   `left_out`: lines that do not fit in the result.
 * @typedef {Talk & {side?: "old", first_line?: number}} DiffThread
 * @typedef {{at: [number, number], in?: string, lines: (string | [string, {on?: number[], cut?: boolean}])[],
 *   cut?: boolean}} DiffHunk `at`: the first line's numbers; a line opens with its sign; `on`: threads by id.
 *
 * Under `dressing.code`, by path: by hunk, by line, its token classes (`diff_rows.js`).
 */

/** How this kind is drawn and told of. */
export const diff = {
  name: "diff",
  shape: "diff",
  noun: "diff",
  title: (facts) => `${facts.title || nameOfDiff(facts)} - Diff - Bitbucket`,
  regions: diffRegions,
  describe: describeDiff,
  changes: diffChanges,
  isOther: isOtherDiff,
  settle: settleFiles,
};

// Inline, the first drawing fits 640 px at 720 px of width; heights are reckoned, a little too high.
const SCREEN_PX = 640;
const LISTED_FILES = 5;
const STEPS = { files: 15, lines: 40 };
const CONTEXTS = [25, 100, 1000];

function diffRegions(drawing, view) {
  const facts = drawing.facts;
  const isFull = view.mode === "fullscreen";
  const { files, index, file } = chosenFile(facts, view.grown.file);
  const part = file ? view.parts[file.path] : undefined;
  const { files: _, unnamed, ...head } = facts;
  const notes = notesOf(facts, view);
  const whole = file ? wholeFile(file, part, drawing) : null;
  const others = [
    isFull
      ? {
          name: "tree",
          slot: "side",
          of: [facts.folders, facts.files?.map(({ hunks, threads, ...name }) => name), unnamed],
          draw: () => el("div", {}, drawTree(facts, chooserOf(drawing, view)), drawUnnamed(facts), drawNext(facts, drawing, view)),
        }
      : {
          name: "files",
          slot: "side",
          of: [facts.folders, facts.files?.map(({ hunks, threads, ...name }) => name), unnamed, view.grown.files],
          draw: () => drawFiles(facts, files, drawing, view),
        },
    {
      name: "file",
      slot: "main",
      of: [whole, index, files.length, view.grown.split, view.grown.lines, part?.asking, part?.said, view.canAsk, view.may("add_pr_comment"), view.may("update_pr_comment")],
      draw: () => drawFile(whole, { drawing, files, index, part, view, notes }),
    },
  ];
  return [
    { name: "head", slot: "head", of: [head, view.offers, view.canAsk], draw: () => drawDiffHead(facts, view) },
    notes.length > 0
      ? { name: "notes", slot: "head", of: notes, draw: () => notes.map((words) => notice(words)) }
      : null,
    ...(file ? others : [{ name: "file", slot: "main", of: 0, draw: () => nothing(emptyWords(facts)) }]),
  ].filter((one) => one !== null);
}

// Marks the file on screen in the tree, which is not drawn anew for it.
function settleFiles(root, drawing, view) {
  const { file } = chosenFile(drawing.facts, view.grown.file);
  for (const node of root.querySelectorAll("button.file")) {
    const isIt = node.getAttribute("data-focus") === fileFocus(file?.path);
    if (isIt) node.setAttribute("aria-current", "true");
    else node.removeAttribute("aria-current");
  }
  if (file) settleLines(root, file.path, targetOfDiff(drawing.facts), view);
}

// A file whose lines are not here is asked for as it is chosen.
function chooserOf(drawing, view) {
  const { start_file, ...show } = drawing.show;
  return (file) =>
    view.ask.choose(
      "file",
      file.path,
      isCarried(file) || !view.canAsk ? null : { ...show, path: file.path },
    );
}

function emptyWords(facts) {
  if (facts.ignores_whitespace) return "Nothing differs but whitespace.";
  return facts.of === "refs" ? "Neither has what the other lacks: no file changed." : "No file changed.";
}

function notesOf(facts, view) {
  const carried = (facts.files ?? []).filter(isCarried).length;
  const said = [...(facts.notes ?? [])];
  if (facts.cut) said.push("Bitbucket cut this diff at its own limit.");
  if (carried < (facts.count?.n ?? 0))
    said.push(
      `The lines of ${carried} of ${counted(facts.count, "file")} are here. ${view.canAsk ? "Each other file that is named opens when it is chosen" : "The rest is in Bitbucket"}.`,
    );
  return said.length > 0 ? [said.join(" ")] : [];
}

function notice(words) {
  return el("p", { class: "notice tone-warning" }, icon("warning"), el("span", { dir: "auto" }, words));
}

function drawDiffHead(facts, view) {
  const isPull = facts.of === "pull_request";
  const { repository, id, title, address } = facts;
  const actions = [
    isPull && view.canAsk && view.offers.tools?.includes("get_pull_request")
      ? button("Overview", () => view.ask.open({ kind: "pull_request", ...repository, id }), {
          icon: "open",
          focus: "overview",
          quiet: true,
        })
      : null,
  ];
  const meta = [
    facts.state ? lozenge(stateWords(facts.state)) : null,
    facts.draft ? lozenge(draftWords()) : null,
    facts.author ? byline(facts.author) : null,
    facts.source ? branches(branchChip(facts.source), branchChip(facts.target)) : null,
    el(
      "span",
      { class: "quiet dotted" },
      facts.at ? timeElement(facts.at, view.clock) : null,
      el("span", {}, countOfFiles(facts)),
    ),
  ];
  const crumbs = [isolated(nameOfDiff(facts)), "Diff"];
  const head = { title: title || nameOfDiff(facts), address, actions, meta };
  return pageHead(repository, crumbs, head, view);
}

// Inline: the first files, and more at each step.
function drawFiles(facts, files, drawing, view) {
  const most = LISTED_FILES + (view.grown.files ?? 0) * STEPS.files;
  const shown = files.slice(0, files.length <= most + 1 ? files.length : most);
  return el(
    "div",
    {},
    drawList(shown, chooserOf(drawing, view)),
    endOf("file", "files", shown.length, files.length, view) ??
      el("div", { class: "part-foot" }, drawUnnamed(facts), drawNext(facts, drawing, view)),
  );
}

// The end of a list that is carried whole.
function endOf(one, many, shown, carried, view) {
  const count = { n: carried, exact: true };
  const said = `${shown} of ${counted(count, one)}`;
  return listFoot({ shown, carried, count, many, name: many, ask: view.ask, said });
}

// Files without a name are named when the diff is opened from there on.
function drawNext(facts, drawing, view) {
  if (!(facts.next >= 0) || !view.canAsk) return null;
  const { path, ...show } = drawing.show;
  return button("Show the diff from there on", () => view.ask.open({ ...show, start_file: facts.next }), {
    icon: "more",
    focus: "next files",
    quiet: true,
  });
}

// What identifies the pull request to the tools that write; nothing else takes comments here.
function targetOfDiff({ of, repository, id }) {
  return of === "pull_request" ? { ...repository, id } : null;
}

// The file as it was asked for alone, where it was; else as the drawing carries it.
function wholeFile(file, part, drawing) {
  const came = part?.drawing;
  const alone = came ? chosenFile(came.facts, file.path).file : null;
  const source = alone?.path === file.path ? came : drawing;
  const at = alone?.path === file.path ? alone : file;
  return {
    ...at,
    context: source.facts.context_lines ?? 10,
    code: ownCode(source.dressing?.code, file.path),
  };
}

function ownCode(code, path) {
  return code && Object.hasOwn(code, path) ? code[path] : undefined;
}

function drawFile(file, given) {
  const { drawing, files, index, part, view, notes } = given;
  const isFull = view.mode === "fullscreen";
  const { start_file, ...show } = drawing.show;
  const askAlone = (more) => () => view.ask.part(file.path, { ...show, path: file.path, ...more });
  const isOneSided = /^(Added|Deleted)$/.test(file.kind ?? "");
  const isSplit = isFull && view.grown.split === true && !isOneSided;
  const wider = CONTEXTS.find((n) => n > file.context);
  const how = {
    isSplit,
    context: file.context,
    code: file.code,
    clock: view.clock,
    target: targetOfDiff(drawing.facts),
    more: view.canAsk && wider ? askAlone({ context_lines: wider }) : null,
    ...(targetOfDiff(drawing.facts) && view.may("add_pr_comment") ? lineWriting(file.path, view) : {}),
    label: `${file.path}, ${isSplit ? "side by side" : "unified"}`,
    most: Infinity,
  };
  const above = file.file_threads ?? [];
  if (!isFull) {
    const listed = Math.min(files.length, LISTED_FILES + 1);
    const isCut = file.left_out > 0 || file.cut === true;
    const used = 262 + notes.length * 62 + aboutFile(file).length * 28 + (isCut ? 84 : 0) + listed * 28 + (listed < files.length ? 28 : 0);
    const talk = above.reduce((sum, one) => sum + threadHeight(one, 80), 0);
    const px = Math.max(100, SCREEN_PX - used - talk);
    how.most = rowsWithin(file, how, px) + (view.grown.lines ?? 0) * STEPS.lines;
  }
  const lines = file.hunks?.length > 0 ? drawLines(file, how) : null;
  const placed = new Set(placedThreads(file));
  const lost = Object.entries(file.threads ?? {}).filter(([id]) => !placed.has(Number(id)));
  return el(
    "section",
    { class: "file-pane" },
    drawFileHead(file, { ...given, choose: chooserOf(drawing, view), isSplit, isOneSided, isFull }),
    aboutFile(file).map((words) => el("p", { class: "file-said" }, words)),
    file.left_out > 0 || file.cut ? drawCut(file, askAlone, view) : null,
    above.length + lost.length + (file.more_threads ?? 0) > 0
      ? el(
          "div",
          { class: "threads threads-file" },
          above.map((one) => drawThread(one, how)),
          lost.map(([, one]) => drawThread(one, how, "On a line that is not shown here")),
          file.more_threads > 0
            ? el("p", { class: "quiet" }, `${counted(file.more_threads, "more thread")} in Bitbucket`)
            : null,
        )
      : null,
    part?.asking ? el("p", { class: "file-said", "aria-busy": "true" }, "Reading this file…") : null,
    part?.said ? notice(part.said) : null,
    lines?.node,
    lines ? endOf("line", "lines", lines.shown, lines.all, view) : null,
    lines === null && !file.why && !part?.asking ? notCarried(file, askAlone({}), part, view) : null,
  );
}

function notCarried(file, askAlone, part, view) {
  return el(
    "div",
    { class: "file-said" },
    el(
      "p",
      {},
      part?.drawing
        ? "Bitbucket did not give the lines of this file."
        : "The lines of this file did not fit into what was sent.",
    ),
    view.canAsk
      ? button(part ? "Read it again" : "Show this file", askAlone, { icon: "again", focus: "alone" })
      : null,
  );
}

// A file that is too large says so above its first line, where it is seen without a click.
function drawCut(file, askAlone, view) {
  const canShrink =
    file.left_out > 0 && file.context > 0 && !/^(Added|Deleted)$/.test(file.kind ?? "");
  return el(
    "div",
    { class: "file-said" },
    notice(
      file.left_out > 0
        ? `The last ${counted(file.left_out, "line")} of this diff do not fit here. Bitbucket's page has them.`
        : "Bitbucket cut the diff of this file at its own limit: its last lines are missing.",
    ),
    canShrink && view.canAsk
      ? button("Show changed lines alone", askAlone({ context_lines: 0 }), { focus: "narrow" })
      : null,
  );
}

function drawFileHead(file, { files, index, view, choose, isSplit, isOneSided, isFull }) {
  const change = changeWords(file.kind ?? "Modified");
  const turn = (by, words, name) =>
    button("", () => choose(files[index + by]), {
      icon: name,
      focus: words,
      quiet: true,
      label: words,
      disabled: !files[index + by],
    });
  const way = (words, isIt, split) =>
    el(
      "button",
      {
        type: "button",
        class: "button",
        "aria-pressed": `${isIt}`,
        "data-focus": words,
        disabled: split && isOneSided,
        title: split && isOneSided ? "Not available for added or deleted files" : null,
        click: () => view.ask.set("split", split),
      },
      words,
    );
  return el(
    "div",
    { class: "file-head" },
    el(
      "h2",
      { dir: "ltr", title: file.path },
      file.folder ? el("span", { class: "quiet" }, isolated(`${file.folder}/`)) : null,
      isolated(file.name),
    ),
    lozenge(change),
    file.sums
      ? el(
          "span",
          { class: "sums" },
          el("span", { class: "tone-text-success" }, `+${file.sums[0]}`),
          " ",
          el("span", { class: "tone-text-danger" }, `−${file.sums[1]}`),
          el("span", { class: "unseen" }, " lines"),
        )
      : null,
    el(
      "div",
      { class: "actions" },
      isFull
        ? el(
            "span",
            { class: "ways", role: "group", "aria-label": "Layout" },
            way("Unified", !isSplit, false),
            way("Side by side", isSplit, true),
          )
        : null,
      files.length > 1
        ? [
            turn(-1, "Previous file", "previous"),
            el("span", { class: "quiet" }, `${index + 1} of ${files.length}`),
            turn(1, "Next file", "more"),
          ]
        : null,
    ),
  );
}

// What a file is and what happened to it, where its lines do not say it.
function aboutFile(file) {
  const kind = file.kind ?? "Modified";
  const said = [];
  if (file.from) said.push([`${kind} from `, el("code", { dir: "ltr" }, isolated(file.from))]);
  if (file.executable)
    said.push(file.executable[1] ? "It can be run now." : "It cannot be run any more.");
  if (file.conflict) said.push("Both branches changed it: it has conflicts.");
  if (file.node === "submodule") said.push("A submodule: another repository, at one of its commits.");
  if (file.why === "binary") said.push("A binary file: there are no lines to show.");
  if (file.why === "strange") said.push("What Bitbucket gave of this file is not what bb understands.");
  if (file.why === "same") said.push(sameWords(file, kind));
  if (file.ends)
    said.push("The text is the same: only the ends of lines differ, or whether the last line has one.");
  return said;
}

function sameWords(file, kind) {
  if (kind === "Added" || kind === "Deleted") return `An empty file was ${kind.toLowerCase()}.`;
  if (file.from) return "Its content is the same.";
  if (file.executable) return "Only its mode changed; its content is the same.";
  return "No line of it differs.";
}
