// Places in a region that follow what the person does: a thread's buttons, a text being written.
//
// Never has its region drawn anew for that. Start at spot().

import { el } from "./el.js";
import { swap } from "./regions.js";

const spots = new WeakMap();

/**
 * A place that is drawn once the region stands, and again when what is done there changes.
 * @param {string[]} places Of the desk, which it tells of.
 * @param {(view: Object) => Node | Array | null} draw
 */
export function spot(places, draw) {
  const node = el("div", { class: "spot" });
  spots.set(node, { places, draw, key: "" });
  return node;
}

/** Draws what has changed. @param {Element} root @param {Object} view */
export function settleSpots(root, view) {
  for (const node of root.querySelectorAll(".spot")) {
    const one = spots.get(node);
    const key = JSON.stringify([view.desk.isBusy(), one.places.map(view.desk.at)]);
    if (key === one.key) continue;
    one.key = key;
    const now = el("div", {}, one.draw(view));
    if (node.firstChild) swap(node.firstChild, now);
    else node.append(now);
  }
}
