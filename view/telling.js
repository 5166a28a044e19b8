// Tells the model what the person sees, a while after it changed and never more often.
//
// Never asks the host: how the model is told is handed in. Start at newModelTeller().

import { shortened } from "./parts.js";

const TELL_MODEL_MS = 10_000;
const MODEL_SIGNS = 1_000;
const CHANGES_SIGNS = 970;
/** So many never fit into one text, so what is forgotten is always said to be missing. */
export const MOST_CHANGES = 99;

/**
 * @param {(run: () => void, ms: number) => unknown} later
 * @param {() => boolean} may Whether the host takes it.
 * @param {() => void} tell
 * @returns {() => void} Tells once, however often it is asked to meanwhile.
 */
export function newModelTeller(later, may, tell) {
  let toldAt = -Infinity;
  let isDue = false;
  return () => {
    if (!may() || isDue) return;
    isDue = true;
    later(
      () => {
        isDue = false;
        toldAt = Date.now();
        tell();
      },
      Math.max(0, toldAt + TELL_MODEL_MS - Date.now()),
    );
  };
}

/** The whole each time, for a host keeps the last one only. @param {string} seen @param {string[]} changes Newest first. */
export function modelText(seen, changes) {
  let text = shortened(seen, MODEL_SIGNS);
  if (changes.length > 0) text += " Changes since it was shown, newest first:";
  let more = "";
  for (const change of changes) {
    if ([...text].length + change.length + 1 > CHANGES_SIGNS) more = " More changes do not fit here.";
    else text += ` ${change}`;
  }
  return shortened(text + more, MODEL_SIGNS);
}
