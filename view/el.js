// Builds elements: el(), svg(), and the text that goes into them.
//
// Never parses a string, and never sets an attribute that is not on the list below. Every text passes
// through marked(): signs that reorder text or cannot be seen are shown as named marks. Start at el().

const named = (words) => new Set(words.split(" "));
const ATTRIBUTES = named(
  "alt aria-activedescendant aria-autocomplete aria-busy aria-controls aria-current " +
  "aria-describedby aria-disabled aria-expanded aria-hidden aria-invalid aria-label " +
  "aria-labelledby aria-level aria-live aria-pressed aria-selected autocomplete class colspan " +
  "data-address data-avatar data-code data-focus data-keep data-lines data-tone datetime dir disabled for " +
  "hidden href id open readonly role rows rowspan scope start tabindex title type",
);
const EVENTS = named("blur click input keydown mousedown toggle");
const ELEMENTS = named(
  "a bdi blockquote br button canvas code dd del details div dl dt em footer h1 h2 h3 h4 h5 h6 " +
  "header hr input label li nav ol p pre section span strong summary table tbody td textarea th " +
  "thead time tr ul",
);
const DRAWN = named("svg path circle rect");
const DRAWING = named("aria-hidden class cx cy d fill focusable height r rx viewBox width x y");

/**
 * An element with attributes, listeners and children. A value that is null, undefined or false sets nothing;
 * a function listens to the event of that name.
 * @param {string} name
 * @param {Object<string, string | number | boolean | null | undefined | Function>} attributes
 * @param {...(Node | string | number | null | undefined | false | Array)} children
 * @returns {HTMLElement}
 */
export function el(name, attributes, ...children) {
  if (!ELEMENTS.has(name)) throw new Error(`no element ${name} is drawn`);
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) setOn(node, key, value);
  append(node, children);
  return node;
}

/**
 * A drawn shape, hidden from assistive readers.
 * @param {string} name
 * @param {Object<string, string | number>} attributes
 * @param {...SVGElement} children
 * @returns {SVGElement}
 */
export function svg(name, attributes, ...children) {
  if (!DRAWN.has(name)) throw new Error(`no shape ${name} is drawn`);
  const node = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) {
    if (!DRAWING.has(key)) throw new Error(`no attribute ${key} on a shape`);
    node.setAttribute(key, String(value));
  }
  node.append(...children);
  return node;
}

/**
 * The address if it is one for the web, else null. The browser's own parser decides, so blanks and control
 * signs inside the scheme are gone before it is looked at.
 * @param {unknown} address
 * @returns {string | null}
 */
export function webAddress(address) {
  if (typeof address !== "string" || address.length > 8192) return null;
  try {
    const url = new URL(address);
    return (url.protocol === "https:" || url.protocol === "http:") && url.host !== ""
      ? url.href
      : null;
  } catch {
    return null;
  }
}

/**
 * A text with its deceiving signs written out, for places that take a plain string.
 * @param {unknown} text
 * @returns {string}
 */
export function spelled(text) {
  return pieces(String(text))
    .map((piece) => (piece.mark ? `[${piece.mark[0]}]` : piece.text))
    .join("");
}

function setOn(node, key, value) {
  if (value === null || value === undefined || value === false) return;
  if (typeof value === "function") {
    if (!EVENTS.has(key)) throw new Error(`no event ${key} is heard`);
    node.addEventListener(key, value);
    return;
  }
  if (!ATTRIBUTES.has(key)) throw new Error(`no attribute ${key} is set`);
  if (key === "href") {
    const address = webAddress(value);
    if (address) node.setAttribute("href", address);
    return;
  }
  node.setAttribute(key, value === true ? "" : spelled(value));
}

function append(node, children) {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    if (Array.isArray(child)) append(node, child);
    else if (child instanceof Node) node.append(child);
    else node.append(...marked(String(child)));
  }
}

function marked(text) {
  return pieces(text).map((piece) => {
    if (!piece.mark) return document.createTextNode(piece.text);
    const mark = document.createElement("span");
    mark.className = "sign";
    mark.title = piece.mark[1];
    mark.textContent = piece.mark[0];
    return mark;
  });
}

// Signs that reorder what stands around them, and signs that take no room. A new line and a tab are text.
const DECEIVING =
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180E\u200B-\u200F\u2028-\u202E\u2060-\u206F\u3164\uFEFF\uFFA0\uFFF9-\uFFFB\u{1D173}-\u{1D17A}\u{E0000}-\u{E0FFF}]/gu;
const SIGNS = {
  0x0d: ["CR", "carriage return"],
  0xad: ["SHY", "soft hyphen"],
  0x61c: ["ALM", "Arabic letter mark"],
  0x200b: ["ZWSP", "zero width space"],
  0x200c: ["ZWNJ", "zero width non-joiner"],
  0x200d: ["ZWJ", "zero width joiner"],
  0x200e: ["LRM", "left-to-right mark"],
  0x200f: ["RLM", "right-to-left mark"],
  0x202a: ["LRE", "left-to-right embedding"],
  0x202b: ["RLE", "right-to-left embedding"],
  0x202c: ["PDF", "end of a direction"],
  0x202d: ["LRO", "left-to-right override"],
  0x202e: ["RLO", "right-to-left override"],
  0x2060: ["WJ", "word joiner"],
  0x2066: ["LRI", "left-to-right isolate"],
  0x2067: ["RLI", "right-to-left isolate"],
  0x2068: ["FSI", "first strong isolate"],
  0x2069: ["PDI", "end of an isolate"],
  0xfeff: ["BOM", "zero width no-break space"],
};
// A joiner between two of these is part of how the script, or the picture, is written.
const JOINED_BEFORE =
  /[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Malayalam}\p{Script=Sinhala}]$/u;
const JOINED_AFTER =
  /^[\p{Extended_Pictographic}\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Malayalam}\p{Script=Sinhala}]/u;

// Nearly every text; a long diff has ten thousand.
const PLAIN_TEXT = /^[\n\t -~]*$/;

function pieces(text) {
  if (PLAIN_TEXT.test(text)) return text === "" ? [] : [{ text }];
  const found = [];
  let from = 0;
  for (const match of text.matchAll(DECEIVING)) {
    const sign = match[0];
    const after = match.index + sign.length;
    if (sign === "\r" && text[after] === "\n") {
      found.push({ text: text.slice(from, match.index) });
      from = after;
      continue;
    }
    const joins = sign === "\u200C" || sign === "\u200D";
    if (
      joins &&
      JOINED_BEFORE.test(text.slice(Math.max(0, match.index - 2), match.index)) &&
      JOINED_AFTER.test(text.slice(after, after + 2))
    ) {
      continue;
    }
    if (match.index > from) found.push({ text: text.slice(from, match.index) });
    const code = sign.codePointAt(0);
    const name = `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
    found.push({ mark: SIGNS[code] ?? [name, `sign ${name}, which cannot be seen`] });
    from = after;
  }
  if (from < text.length) found.push({ text: text.slice(from) });
  return found;
}
