// What the person opened in place, and the way back.
//
// Never draws and never asks. Start at newTrail().

/**
 * @typedef {{show: Object, drawing: Object, grown: Object, parts: Object, changes: string[], focus: string | null,
 *   scrolled: number}} Stop
 * One view that was left: what it showed, how far it had grown, what was asked for alone, what had changed in it, what
 * had the focus, and how far down it was scrolled, in pixels.
 * @typedef {{leave: (stop: Stop) => void, pass: (drawing: Object | null) => void, turn: () => void,
 *   back: () => Stop | undefined, length: () => number, holds: (drawing: Object) => boolean}} Trail
 * `pass`: another view takes the place of this one, without a way back. `turn`: the host took another into the frame,
 * so what was passed may come again. `holds`: whether it is of a view that was left or passed, and no newer.
 */

// A person who opens more than this has the first stops forgotten, not the last.
const MAX_STOPS = 20;

/** Tells views apart. @param {Object} show */
export function keyOfShow(show) {
  return JSON.stringify(show);
}

/** @returns {Trail} */
export function newTrail() {
  const stops = [];
  let passed = [];
  return {
    leave(stop) {
      stops.push(stop);
      if (stops.length > MAX_STOPS) stops.shift();
    },
    pass: (drawing) => passed.push({ ...drawing, drawing }),
    turn() {
      passed = [];
    },
    back: () => stops.pop(),
    holds: ({ show, read_at }) =>
      [...stops, ...passed].some(
        (stop) =>
          keyOfShow(stop.show) === keyOfShow(show) &&
          Date.parse(read_at) <= Date.parse(stop.drawing.read_at),
      ),
    length: () => stops.length,
  };
}
