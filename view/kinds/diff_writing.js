// Comments that the person writes below a line of a diff.
//
// Never has the lines drawn anew for that: a row is put below the line and taken away. Start at lineWriting().

import { editor } from "../deeds.js";
import { el } from "../el.js";
import { spot } from "../spots.js";

const LEAD = "open ";
const written = new WeakMap();

/**
 * What the diff drawer needs for the lines of a file: the place of each, and the listeners of them all. The arrow keys
 * lead from one line's button to the next, so that Tab does not stop at each.
 * @param {string} path @param {Object} view
 */
export function lineWriting(path, view) {
  return {
    write: (side, line) => `line ${side} ${line} ${path}`,
    events: {
      click(event) {
        const button = event.target.closest(".number-button");
        if (button) view.desk.toggle(button.getAttribute("data-focus").slice(LEAD.length));
      },
      keydown(event) {
        const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
        if (!by || !event.target.classList.contains("number-button")) return;
        const all = [...event.currentTarget.querySelectorAll(".number-button")];
        const next = all[all.indexOf(event.target) + by];
        if (!next) return;
        event.preventDefault();
        event.target.setAttribute("tabindex", "-1");
        next.setAttribute("tabindex", "0");
        next.focus();
      },
    },
  };
}

/** Puts a row below each line that something is written on, or was said about. */
export function settleLines(root, path, target, view) {
  const wanted = new Map();
  for (const place of view.desk.places()) {
    const [, side, line, of] = /^line (old|new) (\d+) (.*)$/s.exec(place) ?? [];
    if (of === path) wanted.set(place, { side, line: Number(line) });
  }
  for (const row of root.querySelectorAll(".line-write"))
    if (!wanted.delete(written.get(row))) row.remove();
  const buttons = root.querySelectorAll(".number-button");
  if (buttons.length > 0 && !root.querySelector('.number-button[tabindex="0"]'))
    buttons[0].setAttribute("tabindex", "0");
  for (const button of wanted.size > 0 ? buttons : []) {
    const place = button.getAttribute("data-focus").slice(LEAD.length);
    if (!wanted.has(place)) continue;
    const line = button.closest("tr");
    const below = line.nextElementSibling?.classList.contains("line-threads") ? line.nextElementSibling : line;
    below.after(drawWriting(place, path, wanted.get(place), target));
  }
}

function drawWriting(place, path, { side, line }, target) {
  const comment = (words, task) => ({
    words,
    of: (text) => ({
      place,
      tool: "add_pr_comment",
      args: { ...target, text, path, line, side, ...task },
      told: `The person ${task ? "created a task" : "commented"} on ${path}:${line} of pull request #${target.id}.`,
    }),
  });
  const deeds = [comment("Comment"), comment("Create task", { task: true })];
  const label = `Your comment on line ${line}, in Markdown`;
  const row = el(
    "tr",
    { class: "line-threads line-write" },
    el("td", { colspan: 4 }, el("div", { class: "threads" }, spot([place], (view) => editor({ place, label, deeds }, view)))),
  );
  written.set(row, place);
  return row;
}
