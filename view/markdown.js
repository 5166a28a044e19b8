// The Markdown drawer: the node tree that bb made of a text, as elements.
//
// Never parses Markdown or HTML, and fetches no picture. A node is a string, or ["tag", {attributes}, ...nodes]
// (`src/markdown.rs` writes them); a tag nobody knows is drawn as its text. Start at markdown().

import { codeKey } from "./code.js";
import { el } from "./el.js";
import { icon } from "./icons.js";
import { link } from "./parts.js";

/** @typedef {string | [string, Object, ...Node]} MarkdownNode */

// bb cuts at 24; a drawing from elsewhere must not run the stack out.
const MAX_DEPTH = 60;
const MAX_NODES = 20_000;

const PLAIN = new Set([
  "p",
  "ul",
  "blockquote",
  "em",
  "strong",
  "del",
  "thead",
  "tbody",
  "tr",
  "hr",
  "br",
]);
// The page has its own h1 and h2, so a text's headings begin below them, and go down a level at a time.
const PAGE_LEVELS = 2;

/**
 * @param {MarkdownNode[]} nodes
 * @returns {HTMLElement}
 */
export function markdown(nodes) {
  const left = { nodes: MAX_NODES, level: PAGE_LEVELS };
  return el(
    "div",
    { class: "markdown", dir: "auto" },
    drawNodes(Array.isArray(nodes) ? nodes : [], 0, left),
  );
}

/**
 * The words of a tree, without their form.
 * @param {MarkdownNode[]} nodes
 * @param {number} most How many signs at most.
 * @returns {string}
 */
export function markdownText(nodes, most) {
  let text = "";
  const stack = [...(Array.isArray(nodes) ? nodes : [])].reverse();
  while (stack.length > 0 && text.length < most) {
    const node = stack.pop();
    if (typeof node === "string") text += node;
    else if (Array.isArray(node)) {
      if (/^(p|li|h[1-6]|br|td|th|pre)$/.test(node[0]) && text !== "" && !text.endsWith(" "))
        text += " ";
      for (let at = node.length - 1; at >= 2; at -= 1) stack.push(node[at]);
    }
  }
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

function drawNodes(nodes, depth, left) {
  return nodes.map((node) => drawNode(node, depth, left));
}

function drawNode(node, depth, left) {
  left.nodes -= 1;
  if (left.nodes < 0) return left.nodes === -1 ? " … (the rest is not drawn)" : null;
  if (typeof node === "string") return node;
  if (!Array.isArray(node) || typeof node[0] !== "string") return null;
  if (depth > MAX_DEPTH) return markdownText([node], 10_000);
  const [tag, given, ...rest] = node;
  const attributes = given ?? {};
  const children = () => drawNodes(rest, depth + 1, left);
  if (PLAIN.has(tag)) return el(tag, {}, children());
  if (/^h[1-6]$/.test(tag)) {
    left.level = Math.min(Number(tag[1]) + PAGE_LEVELS, left.level + 1, 6);
    return el(`h${left.level}`, { class: `markdown-${tag}` }, children());
  }
  switch (tag) {
    case "ol":
      return el(
        "ol",
        { start: Number.isInteger(attributes.start) ? attributes.start : null },
        children(),
      );
    case "li":
      return el("li", {}, children());
    case "code":
      return el("code", { dir: "ltr" }, children());
    case "pre":
      return pre(attributes.language, rest[0]?.[2], children());
    case "table":
      return el(
        "div",
        { class: "wide", tabindex: 0, role: "group", "aria-label": "Table" },
        el("table", {}, children()),
      );
    case "th":
      return el("th", { scope: "col", class: alignment(attributes.align) }, children());
    case "td":
      return el("td", { class: alignment(attributes.align) }, children());
    case "a":
      return link(attributes.href, {}, ...children());
    case "image":
      return picture(attributes.address, children());
    default:
      return children();
  }
}

// A suggestion proposes these lines for the one that the comment stands on.
function pre(language, text, children) {
  const label = language === "suggestion" ? "Suggested change" : "Code";
  return [
    label === "Code" ? null : el("p", { class: "quiet" }, label),
    el(
      "pre",
      {
        class: "code",
        tabindex: 0,
        dir: "ltr",
        role: "group",
        "aria-label": label,
        "data-code": language ? codeKey(`${language}\n${text}`) : null,
      },
      children,
    ),
  ];
}

// A picture is named and its address shown: nothing is fetched from where somebody else says.
function picture(address, words) {
  return el(
    "span",
    { class: "picture" },
    icon("none"),
    el("span", {}, words.length > 0 ? words : "Image"),
    address ? link(address, { class: "picture-address" }, address) : null,
  );
}

function alignment(align) {
  return align === "right" || align === "center" ? `align-${align}` : null;
}
