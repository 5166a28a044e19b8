// What the person does in a view: what they write, the one call under way, and what came of it.
//
// Never draws, and never offers anything: kinds do (`deeds.js`). A text is kept until Bitbucket has it. Start at newDesk().

import { shortened } from "./parts.js";

// A tool that asks the person through the client waits five minutes for them (contract 3).
const ACT_MS = 330_000;

/**
 * A deed by its `place`: which tool is called with what, and how the model is told of it once it is done. `after` does
 * what else is to be done then, instead of reading the view again.
 * @typedef {{done: boolean, id?: number, url?: string, tone: string, words: string,
 *   errors: {field?: string, message: string}[]}} Outcome
 * @typedef {{place: string, tool: string, args: Object, told?: string, after?: (outcome: Outcome) => void}} Deed
 * @typedef {{open: boolean, of?: unknown, running: "" | "asked" | "reading", said: Outcome | null}} Place
 * `of`: the state that it was opened with, where it means that one alone.
 * @typedef {Object} Desk
 * @property {(place: string) => Place} at As plain data, for a region's `of`.
 * @property {() => string[]} places Those that are open, under way or have something said.
 * @property {() => boolean} isBusy One deed at a time: while one is under way a press does nothing.
 * @property {(place: string) => string} text What is written there and not sent.
 * @property {(place: string, text: string) => void} write
 * @property {(place: string, of?: unknown) => void} toggle Opens the place to write at, or closes it and keeps the
 *   text. One that is open with another `of` is opened anew.
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
  const open = new Map();
  const said = new Map();
  let running = null;
  const desk = {
    at: (place) => ({
      open: open.has(place),
      of: open.get(place),
      running: running?.place === place ? running.stage : "",
      said: said.get(place) ?? null,
    }),
    places: () => [...new Set([...open.keys(), ...said.keys(), ...(running ? [running.place] : [])])],
    isBusy: () => running !== null,
    text: (place) => texts.get(place) ?? "",
    write: (place, text) => texts.set(place, text),
    toggle(place, of = true) {
      if (running) return;
      if (open.get(place) === of) open.delete(place);
      else open.set(place, of);
      said.delete(place);
      changed();
      focus(open.has(place) ? `text ${place}` : `open ${place}`);
    },
    act({ place, tool, args, told, after }) {
      if (running) return;
      running = { place, stage: "asked" };
      said.delete(place);
      changed();
      call(tool, args, ACT_MS)
        .then(outcomeOf, lostOf)
        .then((outcome) => {
          if (after) running = null;
          else running.stage = "reading";
          if (outcome.done) {
            texts.delete(place);
            open.delete(place);
          }
          if (outcome.words) said.set(place, outcome);
          changed();
          if (after) {
            after(outcome);
            return;
          }
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
  const errors = (Array.isArray(told?.errors) ? told.errors : []).filter(
    (error) => typeof error?.message === "string",
  );
  const done = told ? told.done === true && result.isError !== true : result?.isError !== true;
  const blocks = Array.isArray(result?.content) ? result.content : [];
  const text = blocks.find((block) => typeof block?.text === "string")?.text ?? "";
  if (errors.length === 0 && !done)
    errors.push({ message: shortened(text || "Bitbucket did not do it.", 1_500) });
  const words = shortened(errors.map((error) => error.message).join(" "), 1_500);
  return { done, id: told?.id, url: told?.url, tone: done ? "warning" : "danger", words, errors };
}

function lostOf(error) {
  const why = shortened(error.message, 500);
  const words = error.isRefusal
    ? `The chat did not pass it on: ${why}.`
    : `No answer came: ${why}. It may have happened; look at what the view says once it is read again.`;
  return { done: false, tone: "warning", words, errors: [{ message: words }] };
}
