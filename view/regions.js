// Redraws only the regions whose facts changed, and keeps focus, scroll and open details across it.
//
// Never looks into what a region draws. Start at redraw().

import { el } from "./el.js";

/**
 * A part of a view that is redrawn as one. `of` is everything that `draw` looks at, as plain data.
 * @typedef {{name: string, slot: string, of: unknown, draw: () => Node | null}} Region
 */

const drawn = new WeakMap();
const rows = new WeakMap();

/**
 * Draws `regions` into `root`, slot by slot, in order.
 * @param {Element} root
 * @param {string} shape Names the arrangement of the slots; another shape starts anew.
 * @param {Region[]} regions
 * @returns {string[]} The names of the regions that were drawn.
 */
export function redraw(root, shape, regions) {
  let state = drawn.get(root);
  if (!state || state.shape !== shape) {
    state = {
      shape,
      frame: el("div", { class: `view view-${shape}` }),
      slots: new Map(),
      regions: new Map(),
    };
    drawn.set(root, state);
    root.replaceChildren(state.frame);
  }
  const changed = [];
  const seen = new Set();
  const last = new Map();
  for (const region of regions) {
    seen.add(region.name);
    const slot = slotOf(state, region.slot);
    const key = keyOf(region.of);
    const before = state.regions.get(region.name);
    let node = before?.node;
    if (!before || key === null || before.key !== key) {
      node = el("div", { class: `region region-${region.name}` }, region.draw());
      changed.push(region.name);
      if (before) swap(before.node, node);
      state.regions.set(region.name, { key, node });
    }
    const previous = last.get(slot);
    const place = previous ? previous.nextSibling : slot.firstChild;
    if (place !== node) slot.insertBefore(node, place);
    last.set(slot, node);
  }
  for (const [name, { node }] of state.regions) {
    if (seen.has(name)) continue;
    node.remove();
    state.regions.delete(name);
    changed.push(name);
  }
  return changed;
}

/**
 * Keeps a row across a redraw of its region for as long as what it shows is the same.
 * @param {Element} row @param {unknown} of Everything that was looked at to draw it, as plain data.
 * @returns {Element} The row.
 */
export function lasting(row, of) {
  rows.set(row, keyOf(of));
  return row;
}

/** Forgets what was drawn, so that the next drawing starts anew. @param {Element} root */
export function forget(root) {
  drawn.delete(root);
}

/** Gives the focus to what carries this key. @param {Element} root @param {string | null} key @returns {boolean} */
export function focusKey(root, key) {
  if (!key) return false;
  for (const node of root.querySelectorAll("[data-focus]")) {
    if (node.getAttribute("data-focus") === key && !node.hasAttribute("disabled")) {
      node.focus({ preventScroll: true });
      return true;
    }
  }
  return false;
}

function slotOf(state, name) {
  let slot = state.slots.get(name);
  if (!slot) {
    slot = el("div", { class: `slot slot-${name}` });
    state.slots.set(name, slot);
    state.frame.append(slot);
  }
  return slot;
}

// Data nested past what can be written down is drawn anew each time rather than compared.
function keyOf(of) {
  try {
    return JSON.stringify(of) ?? "";
  } catch {
    return null;
  }
}

/** Puts a node in another's place, with its focus, scroll, open details and texts. */
export function swap(before, after) {
  const held = before.contains(document.activeElement)
    ? document.activeElement.getAttribute("data-focus")
    : null;
  const open = keep(before, "details", (node) => node.open);
  const scrolled = keep(before, "[data-keep]", (node) => [node.scrollTop, node.scrollLeft]);
  const texts = keep(before, "textarea", selected, "data-focus");
  reuseRows(before, after);
  before.replaceWith(after);
  restore(after, "details", open, (node, value) => {
    node.open = value;
  });
  restore(after, "[data-keep]", scrolled, (node, [top, left]) => node.scrollTo(left, top));
  restore(after, "textarea", texts, select, "data-focus");
  if (held !== null && !focusKey(after, held)) {
    // What had the focus is gone: the region itself takes it, so that the next Tab goes on from here.
    after.setAttribute("tabindex", "-1");
    after.focus({ preventScroll: true });
  }
}

function selected({ selectionStart, selectionEnd, scrollTop, style }) {
  return { selectionStart, selectionEnd, scrollTop, height: style.height };
}

function select(node, { selectionStart, selectionEnd, scrollTop, height }) {
  node.setSelectionRange(selectionStart, selectionEnd);
  node.style.height = height;
  node.scrollTop = scrollTop;
}

function reuseRows(before, after) {
  const held = new Map();
  for (const node of before.querySelectorAll("li"))
    if (rows.get(node)) held.set(rows.get(node), node);
  for (const node of after.querySelectorAll("li")) {
    const same = held.get(rows.get(node));
    held.delete(rows.get(node));
    if (same) node.replaceWith(same);
  }
}

function keep(root, selector, value, name = "data-keep") {
  const kept = new Map();
  for (const node of root.querySelectorAll(selector)) {
    const key = node.getAttribute(name);
    if (key) kept.set(key, value(node));
  }
  return kept;
}

function restore(root, selector, kept, put, name = "data-keep") {
  for (const node of root.querySelectorAll(selector)) {
    const key = node.getAttribute(name);
    if (kept.has(key)) put(node, kept.get(key));
  }
}
