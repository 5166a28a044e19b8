// What the person does in a view: what they write, the one call under way, and what came of it.
//
// Never draws, and never offers anything: kinds do (`deeds.js`). A text is kept until Bitbucket has it. Start at newDesk().

import { shortened } from "./parts.js";

// A tool that asks the person through the client waits five minutes for them (contract 3).
const ACT_MS = 330_000;

/**
 * A deed by its `place`: which tool is called with what, and how the model is told of it once it is done.
 * @typedef {{place: string, tool: string, args: Object, told: string}} Deed
 * @typedef {{open: boolean, running: "" | "asked" | "reading", said: {tone: string, words: string} | null}} Place
 * @typedef {Object} Desk
 * @property {(place: string) => Place} at As plain data, for a region's `of`.
 * @property {() => string[]} places Those that are open, under way or have something said.
 * @property {() => boolean} isBusy One deed at a time: while one is under way a press does nothing.
 * @property {(place: string) => string} text What is written there and not sent.
 * @property {(place: string, text: string) => void} write
 * @property {(place: string) => void} toggle Opens the place to write at, or closes it and keeps the text.
 * @property {(deed: Deed) => void} act
 * @property {() => void} settle The view was read again after a deed.
 */

/**
 * @param {{call: (tool: string, args: Object, wait_ms: number) => Promise<Object>, changed: () => void,
 *   focus: (key: string) => void, ended: (desk: Desk, told: string, words: string) => void}} given
 * `ended`: a call was answered, or none came; `told` where it was done, `words` where there is more to say.
 * @returns {Desk}
 */
export function newDesk({ call, changed, focus, ended }) {
  const texts = new Map();
  const open = new Set();
  const said = new Map();
  let running = null;
  const desk = {
    at: (place) => ({
      open: open.has(place),
      running: running?.place === place ? running.stage : "",
      said: said.get(place) ?? null,
    }),
    places: () => [...new Set([...open, ...said.keys(), ...(running ? [running.place] : [])])],
    isBusy: () => running !== null,
    text: (place) => texts.get(place) ?? "",
    write: (place, text) => texts.set(place, text),
    toggle(place) {
      if (running) return;
      if (!open.delete(place)) open.add(place);
      said.delete(place);
      changed();
      focus(open.has(place) ? `text ${place}` : `open ${place}`);
    },
    act({ place, tool, args, told }) {
      if (running) return;
      running = { place, stage: "asked" };
      said.delete(place);
      changed();
      call(tool, args, ACT_MS)
        .then(outcomeOf, lostOf)
        .then((outcome) => {
          running.stage = "reading";
          if (outcome.done) {
            texts.delete(place);
            open.delete(place);
          }
          if (outcome.words) said.set(place, outcome);
          changed();
          if (outcome.done) focus(`open ${place}`);
          ended(desk, outcome.done ? told : "", outcome.words);
        });
    },
    settle() {
      if (!running) return;
      running = null;
      changed();
    },
  };
  return desk;
}

// A host may take `_meta` away: then the text alone tells.
function outcomeOf(result) {
  const told = result?._meta?.["bb/outcome"];
  const errors = (Array.isArray(told?.errors) ? told.errors : [])
    .map((error) => error?.message)
    .filter((words) => typeof words === "string");
  const done = told ? told.done === true && result.isError !== true : result?.isError !== true;
  const blocks = Array.isArray(result?.content) ? result.content : [];
  const text = blocks.find((block) => typeof block?.text === "string")?.text ?? "";
  const words = errors.join(" ") || (done ? "" : text || "Bitbucket did not do it.");
  return { done, tone: done ? "warning" : "danger", words: shortened(words, 1_500) };
}

function lostOf(error) {
  const words = shortened(error.message, 500);
  return {
    done: false,
    tone: "warning",
    words: error.isRefusal
      ? `The chat did not pass it on: ${words}.`
      : `No answer came: ${words}. It may have happened; look at what the view says once it is read again.`,
  };
}
