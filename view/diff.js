// The diff drawer: a file's lines, unified or side by side, each thread below the line that names it.
//
// Never asks for lines that did not come. A long file is drawn on in steps (`paint.js`). Start at drawLines().

import { drawPieces } from "./code.js";
import { rowsOf } from "./diff_rows.js";
import { el } from "./el.js";
import { button } from "./parts.js";
import { growLater } from "./paint.js";
import { folded, talk, threadHeight } from "./threads.js";
import { counted } from "./words.js";

// Drawn at once: more than the tallest screen shows. Then as many at a time as take a few milliseconds.
const FIRST_ROWS = 50;
const STEP_ROWS = 30;
const ROW_PX = 20;

/**
 * @param {Object} file
 * @param {{isSplit: boolean, context: number, code?: string[][], clock: Clock, target: Object | null, most: number,
 *   write?: (side: "old" | "new", line: number) => string, events?: Object, more: Function | null,
 *   label: string}} how `most`: rows at most; `more` asks for the lines around each change; `write` names the place of
 *   the desk where the person writes below a line, and `events` are the listeners for that.
 * @returns {{node: HTMLElement, shown: number, all: number}} Rows shown and rows there are.
 */
export function drawLines(file, how) {
  const rows = rowsOf(file, how);
  const shown = Math.min(rows.length, how.most);
  const body = el("tbody", {});
  let at = 0;
  const put = (most) => {
    const end = Math.min(shown, at + most);
    for (; at < end; at += 1) body.append(...drawRow(rows[at], file, how));
    return at < shown;
  };
  if (put(FIRST_ROWS)) growLater(body, () => put(STEP_ROWS));
  const heads = how.isSplit
    ? ["Old line", "Old code", "New line", "New code"]
    : ["Old line", "New line", "Change", "Code"];
  const node = el(
    "div",
    {
      class: how.isSplit ? "diff diff-split" : "diff wide",
      dir: "ltr",
      tabindex: 0,
      role: "group",
      "aria-label": how.label,
      "data-keep": `diff ${how.label}`,
      ...how.events,
    },
    el(
      "table",
      {},
      el(
        "thead",
        {},
        el(
          "tr",
          {},
          heads.map((head) =>
            el("th", { scope: "col" }, el("span", { class: "unseen" }, head)),
          ),
        ),
      ),
      body,
    ),
  );
  return { node, shown, all: rows.length };
}

/** How many of the first rows of a file fit into so many px, at least three. */
export function rowsWithin(file, how, px) {
  let left = px;
  let fit = 0;
  for (const row of rowsOf(file, how)) {
    left -= ROW_PX;
    for (const one of threadsOn(row, file)) left -= threadHeight(one, 80);
    if (left < 0 && fit >= 3) break;
    fit += 1;
  }
  return fit;
}

function threadsOn(row, file) {
  const ids = row.line ? row.line.on : [...(row.left?.on ?? []), ...(row.right?.on ?? [])];
  return [...new Set(ids)].map((id) => file.threads?.[id]).filter((one) => one !== undefined);
}

function drawRow(row, file, how) {
  if (row.gap !== undefined) return [drawGap(row, how)];
  if (row.line) {
    const { line } = row;
    return [
      el(
        "tr",
        { class: `line ${toneOfLine(line)}` },
        drawNumber(line, line.sign === "-" ? "old" : "", "old", how),
        drawNumber(line, line.sign === "-" ? "" : "new", "new", how),
        el("td", { class: "change" }, line.sign === " " ? "" : line.sign),
        drawCode(line),
      ),
      drawThreads([line.on], file, how),
    ];
  }
  const { left, right } = row;
  // A line that both sides have is commented on where it is now.
  const side = (line, name) => [
    drawNumber(line, left === right && name === "old" ? "" : name, name, how, toneOfLine(line)),
    line ? drawCode(line) : el("td", { class: "code line-none" }),
  ];
  // A line that both sides have holds its threads once, each in the column that it was written in.
  const isOld = (id) => file.threads?.[id]?.side === "old";
  const on =
    left === right
      ? [left.on.filter(isOld), left.on.filter((id) => !isOld(id))]
      : [left?.on ?? [], right?.on ?? []];
  return [
    el("tr", { class: "line" }, side(left, "old"), side(right, "new")),
    drawThreads(on, file, how),
  ];
}

// The number, and where the person may write, the way to write below the line. `side`: empty where it is no such way.
function drawNumber(line, side, name, how, tone = "") {
  const number = line?.[name];
  return el(
    "td",
    { class: `number ${tone}`.trim() },
    side && how.write && Number.isInteger(number)
      ? el(
          "button",
          {
            type: "button",
            class: "number-button",
            tabindex: -1,
            "data-focus": `open ${how.write(side, number)}`,
            "aria-label": `Comment on line ${number}${side === "old" ? " of the old file" : ""}`,
          },
          number,
        )
      : number,
  );
}

function toneOfLine(line) {
  if (!line) return "line-none";
  return line.sign === "+" ? "line-added" : line.sign === "-" ? "line-removed" : "line-same";
}

function drawCode(line) {
  return el(
    "td",
    { class: `code ${toneOfLine(line)}` },
    drawPieces(line),
    line.cut ? el("span", { class: "sign", title: "The line is longer" }, "…") : null,
  );
}

/** A thread in a box of its own. @param {Talk} one @param {string} [said] Where it stands, for one of several lines. */
export function drawThread(one, how, said = "") {
  return el("div", { class: "thread" }, folded(one, talk(one, { ...how, said })));
}

// `columns`: the ids below the whole row, or below each of the two sides.
function drawThreads(columns, file, how) {
  if (columns.every((ids) => ids.length === 0)) return "";
  const drawn = columns.map((ids) => {
    const here = ids.map((id) => [id, file.threads?.[id]]);
    const lost = here.filter(([, one]) => !one).length;
    return el(
      "div",
      { class: "threads" },
      here.map(([, one]) =>
        one ? drawThread(one, how, one.first_line ? `On lines ${one.first_line} to here` : "") : null,
      ),
      lost > 0
        ? el("p", { class: "quiet" }, `${counted(lost, "more thread")} on this line in Bitbucket`)
        : null,
    );
  });
  return el(
    "tr",
    { class: "line-threads" },
    drawn.map((node, at) => el("td", { colspan: 4 / drawn.length }, columns[at].length ? node : null)),
  );
}

function drawGap({ gap, context }, how) {
  const words = gap < 0 ? "Lines below are not shown" : `${counted(gap, "line")} not shown`;
  return el(
    "tr",
    { class: "line-gap" },
    el(
      "td",
      { colspan: 4 },
      el(
        "div",
        { class: "gap" },
        how.more
          ? button(words, how.more, {
              icon: "unfold",
              focus: `more ${gap}`,
              quiet: true,
              label: `${words}. Show more lines around each change`,
            })
          : el("span", { class: "quiet" }, words),
        context ? el("code", { class: "quiet" }, context) : null,
      ),
    ),
  );
}
