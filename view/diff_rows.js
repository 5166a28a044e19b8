// What the rows of a diff are: lines with their numbers, pairs for two columns, gaps, and the threads below a line.
//
// Never draws, and never places a thread but where a line names it. Start at rowsOf().

/**
 * A line as it is drawn. A number is null where the line does not exist on that side.
 * @typedef {{sign: " " | "+" | "-", text: string, old: number | null, new: number | null, on: number[],
 *   cut: boolean, code: string, edit: [number, number] | null}} DiffLine
 *   `on`: ids of the threads on it; `code`: its token classes, a letter and a length each; `edit`: what differs
 *   from the line that it stands for.
 * @typedef {{gap: number, context: string}} Gap Lines that are not shown; -1 where nobody told how many.
 * @typedef {{line: DiffLine} | {left: DiffLine | null, right: DiffLine | null} | Gap} Row
 */

// A longer line is not compared: no one reads where it differs.
const MAX_COMPARED = 500;

/**
 * @param {Object} file As it came, with its hunks.
 * @param {{isSplit: boolean, context: number, code?: string[][]}} how
 * @returns {Row[]}
 */
export function rowsOf(file, { isSplit, context, code }) {
  const rows = [];
  let end = { old: 1, new: 1 };
  const hunks = file.hunks ?? [];
  hunks.forEach((hunk, at) => {
    const [from, to] = hunk.at;
    const skipped = Math.max(from - end.old, to - end.new);
    if (skipped > 0 && from > 0 && to > 0) rows.push({ gap: skipped, context: hunk.in ?? "" });
    const lines = linesOfHunk(hunk, code?.[at] ?? [], file.ends === true);
    if (isSplit) rows.push(...paired(lines));
    else for (const line of lines) rows.push({ line });
    const last = (side, first) =>
      lines.reduce((next, line) => (line[side] === null ? next : line[side] + 1), first);
    end = { old: last("old", from), new: last("new", to) };
    const isLast = at === hunks.length - 1;
    if (isLast && from > 0 && to > 0 && tail(lines) >= context && !file.left_out && !file.cut)
      rows.push({ gap: -1, context: "" });
  });
  return rows;
}

/** The ids of all threads that some line of a file names. */
export function placedThreads(file) {
  return (file.hunks ?? []).flatMap((hunk) =>
    hunk.lines.flatMap((line) => (Array.isArray(line) ? (line[1]?.on ?? []) : [])),
  );
}

/** Cuts a line where its class or its difference changes: [text, class letter, whether it differs]. */
export function codePieces(line) {
  const cuts = new Set([0, line.text.length]);
  const classes = [];
  let at = 0;
  for (const [, letter, length] of (line.code ?? "").matchAll(/([a-z])(\d+)/g)) {
    classes.push({ letter, end: at + Number(length) });
    cuts.add(Math.min(at, line.text.length));
    at += Number(length);
  }
  cuts.add(Math.min(at, line.text.length));
  for (const edge of line.edit ?? []) cuts.add(edge);
  const edges = [...cuts].sort((a, b) => a - b);
  let next = 0;
  return edges.slice(0, -1).map((start, index) => {
    while (next < classes.length && classes[next].end <= start) next += 1;
    const isEdit = line.edit !== null && start >= line.edit[0] && start < line.edit[1];
    return [line.text.slice(start, edges[index + 1]), classes[next]?.letter ?? "p", isEdit];
  });
}

function linesOfHunk(hunk, code, keepsEnds) {
  let [old, now] = hunk.at;
  const lines = hunk.lines.map((given, at) => {
    const [text, more] = Array.isArray(given) ? given : [given, {}];
    const sign = text[0];
    const line = {
      sign,
      // Of a file whose line ends all have it, a carriage return before the line feed tells nothing.
      text: keepsEnds ? text.slice(1) : text.slice(1).replace(/\r$/, ""),
      old: sign === "+" ? null : old,
      new: sign === "-" ? null : now,
      on: more.on ?? [],
      cut: more.cut === true,
      code: code[at] ?? "",
      edit: null,
    };
    if (sign !== "+") old += 1;
    if (sign !== "-") now += 1;
    return line;
  });
  for (const [removed, added] of changesOf(lines)) {
    if (removed.length !== added.length) continue;
    removed.forEach((line, at) => compare(line, added[at]));
  }
  return lines;
}

// Runs of removed lines and the added ones that follow them.
function changesOf(lines) {
  const found = [];
  let at = 0;
  while (at < lines.length) {
    const run = (sign) => {
      const start = at;
      while (at < lines.length && lines[at].sign === sign) at += 1;
      return lines.slice(start, at);
    };
    run(" ");
    const removed = run("-");
    const added = run("+");
    if (removed.length > 0 || added.length > 0) found.push([removed, added]);
    else if (at < lines.length) at += 1;
  }
  return found;
}

// Marks what lies between the common start and the common end of two lines that are alike in part.
function compare(before, after) {
  const [a, b] = [before.text, after.text];
  if (a.length > MAX_COMPARED || b.length > MAX_COMPARED || a === b) return;
  const least = Math.min(a.length, b.length);
  let start = 0;
  while (start < least && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < least - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  // Half of a sign of two units is no sign.
  if (start > 0 && /[\uD800-\uDBFF]/.test(a[start - 1])) start -= 1;
  if (end > 0 && /[\uDC00-\uDFFF]/.test(a[a.length - end])) end -= 1;
  if ((start + end) * 3 < least) return;
  before.edit = [start, a.length - end];
  after.edit = [start, b.length - end];
}

function paired(lines) {
  const rows = [];
  let at = 0;
  while (at < lines.length) {
    if (lines[at].sign === " ") {
      rows.push({ left: lines[at], right: lines[at] });
      at += 1;
      continue;
    }
    const start = at;
    while (at < lines.length && lines[at].sign === "-") at += 1;
    const removed = lines.slice(start, at);
    const middle = at;
    while (at < lines.length && lines[at].sign === "+") at += 1;
    const added = lines.slice(middle, at);
    for (let index = 0; index < Math.max(removed.length, added.length); index += 1)
      rows.push({ left: removed[index] ?? null, right: added[index] ?? null });
  }
  return rows;
}

function tail(lines) {
  let n = 0;
  while (n < lines.length && lines[lines.length - 1 - n].sign === " ") n += 1;
  return n;
}
