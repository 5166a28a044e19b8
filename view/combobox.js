// A field with suggestions below it, by the ARIA pattern of a combobox with a list: the focus stays in the field.
//
// Never asks anybody: what could stand in it is handed in. Start at combobox().

import { el } from "./el.js";
import { countWords } from "./words.js";

/**
 * @typedef {{value: string, words: string, more?: string, people?: {name: string, display_name: string}[]}} Option
 * @typedef {{options?: Option[], count?: Count, said?: string}} Found `said`: why there is none.
 */

/**
 * @param {Object} attributes Of the field: what names and describes it.
 * @param {string} value What stands there; a field that takes several is empty again after each.
 * @param {((text: string) => Promise<Found>) | null} find Null where nothing suggests: then it is typed in whole.
 * @param {(option: Option) => void} pick Also of what was typed and is on no list: at Enter, and when the field is left.
 * @param {(text: string) => void} [write] Of a field that is left without picking: whoever draws it keeps what is typed
 *   there.
 * @param {string} [text] What was typed there so far.
 * @returns {HTMLElement}
 */
export function combobox(attributes, value, find, pick, write, text = value) {
  const id = `${attributes.id}-list`;
  let options = [];
  let at = -1;
  const list = el("ul", { id, role: "listbox", "aria-label": "Suggestions" });
  const said = el("p", { class: "quiet" });
  const box = el("div", { class: "options", hidden: true }, list, said);
  const mark = (to) => {
    at = to;
    options.forEach((_, place) =>
      list.children[place].setAttribute("aria-selected", `${place === at}`),
    );
    const node = list.children[at];
    node?.scrollIntoView({ block: "nearest" });
    field.setAttribute("aria-activedescendant", node ? node.id : "");
  };
  const show = (isOpen) => {
    box.hidden = !isOpen;
    mark(-1);
    if (find) field.setAttribute("aria-expanded", `${isOpen}`);
  };
  const take = (option) => {
    show(false);
    field.value = value;
    pick(option);
  };
  const typed = () => {
    const text = field.value.trim();
    if (text && text !== value) take({ value: text, words: text });
    else field.value = value;
  };
  const draw = ({ words, more }, place) =>
    el(
      "li",
      {
        id: id + place,
        role: "option",
        dir: "auto",
        mousedown: (event) => {
          event.preventDefault();
          take(options[place]);
        },
      },
      words,
      more && el("span", { class: "quiet" }, " ", more),
    );
  const look = (text) =>
    find?.(text).then((found) => {
      if (document.activeElement !== field) return;
      options = found.options ?? [];
      list.replaceChildren(...options.map(draw));
      said.textContent = found.count
        ? `${options.length} of ${countWords(found.count)}`
        : found.said;
      show(true);
    });
  const keys = {
    ArrowDown: () =>
      box.hidden ? look(field.value === value ? "" : field.value) : mark((at + 1) % options.length),
    ArrowUp: () => mark((at < 1 ? options.length : at) - 1),
    Enter: () => (options[at] ? take(options[at]) : typed()),
    Escape: () => show(false),
  };
  const field = el("input", {
    ...attributes,
    autocomplete: "off",
    role: find && "combobox",
    "aria-autocomplete": find && "list",
    "aria-expanded": find && "false",
    "aria-controls": find && id,
    input() {
      write?.(field.value);
      look(field.value.trim());
    },
    blur: () => {
      show(false);
      if (!write) typed();
    },
    keydown: (event) => {
      const key = keys[event.key];
      if (!key || field.readOnly || (event.key === "Escape" && box.hidden)) return;
      event.preventDefault();
      event.stopPropagation();
      key();
    },
  });
  field.value = text;
  return el("div", {}, field, box);
}
