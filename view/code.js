// Code in its colors: the pieces of a line, and the code that stands in texts.
//
// Never tells a language: bb sends the classes (`src/show/fences.rs`). Start at drawPieces() and paintCode().

import { codePieces } from "./diff_rows.js";
import { el } from "./el.js";

/** The text of a line, each piece in its color. @param {{text: string, code: string, edit: [number, number] | null}} line */
export function drawPieces(line) {
  return codePieces(line).map(([text, letter, isEdit]) => {
    if (letter === "p" && !isEdit) return text;
    const classes = [letter === "p" ? "" : `code-${letter}`, isEdit ? "code-edit" : ""];
    return el("span", { class: classes.join(" ").trim() }, text);
  });
}

/**
 * What a piece of code in a text is called: a hash of it, as `src/show/fences.rs` makes it.
 * @param {string} text The language or the path, then the lines, each after a line feed.
 * @returns {number} FNV-1a of 32 bits.
 */
export function codeKey(text) {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1)
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x1000193);
  return hash >>> 0;
}

const painted = new WeakMap();

/**
 * Colors the code in texts by the classes that came with the result. One with a sign that cannot be seen stays plain.
 * @param {Element} root
 * @param {Object<string, string[]>} fences By codeKey(), the classes of each line.
 */
export function paintCode(root, fences) {
  for (const node of root.querySelectorAll("[data-code]")) {
    const lines = fences[node.getAttribute("data-code")];
    if (!Array.isArray(lines) || painted.get(node) === `${lines}` || node.querySelector(".sign")) continue;
    painted.set(node, `${lines}`);
    let at = 0;
    for (const block of node.querySelectorAll("code")) {
      const drawn = block.textContent.split("\n").flatMap((text, line) => {
        const code = `${lines[at] ?? ""}`;
        at += 1;
        return [line > 0 ? "\n" : "", ...drawPieces({ text, code, edit: null })];
      });
      block.replaceChildren(...drawn);
    }
  }
}
