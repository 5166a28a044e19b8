// What stands around every kind, and instead of one: the way back, an offer, when it was read, the state without data.
//
// Never reads and never turns anything: what a press does is handed in. Start at newSurround().

import { button } from "./parts.js";
import { FORMAT } from "./result.js";
import { drawFoot, drawOffer, drawStage } from "./states.js";
import { timeElement } from "./time.js";

/**
 * @param {Object} state The page's.
 * @param {{canRead: () => boolean, clock: () => Object, back: () => void, newer: () => void, again: () => void,
 *   retry: () => void}} given `again` from a drawing, `retry` where there is none.
 */
export function newSurround(state, { canRead, clock, back, newer, again, retry }) {
  const backButton = () =>
    state.trail.length() > 0
      ? button("Back", back, { icon: "back", focus: "back", quiet: true })
      : null;
  const againButton = (words, pressed, options) =>
    button(state.asking ? "Reading…" : words, pressed, { icon: "again", focus: "again", ...options });
  const head = (name, of, draw) => ({ name, slot: "head", of, draw });
  return {
    /** The regions of a kind with what stands around them. @param {Object[]} regions */
    around: (regions) => {
      const { trail, offered, drawing, asking, notice } = state;
      const isOffered = canRead();
      const drawn = () =>
        drawFoot(
          notice,
          timeElement(drawing.read_at, clock()),
          isOffered ? againButton("Read again", again, { quiet: true }) : null,
        );
      return [
        trail.length() > 0 ? head("trail", trail.length(), backButton) : null,
        offered ? head("offer", offered.fingerprint, () => drawOffer(newer)) : null,
        ...regions,
        { name: "foot", slot: "foot", of: [drawing.read_at, isOffered, asking, notice], draw: drawn },
      ].filter((region) => region !== null);
    },
    /** The one region where no kind is drawn. @param {string} noun What would be. */
    instead: (noun) => {
      const { stage, said, asking, trail } = state;
      const isOffered = canRead();
      return {
        name: "state",
        slot: "state",
        of: [stage, said, isOffered, asking, trail.length()],
        draw: () =>
          drawStage({
            stage,
            said,
            noun,
            format: FORMAT,
            canRead: isOffered,
            again: againButton("Read it again", retry),
            back: backButton(),
          }),
      };
    },
  };
}
