// Asks for parts of a view alone, such as a file whose lines did not come with its diff.
//
// Never draws: what came stands under its name in the page's state. Start at newPartReader().

import { payloadOf, textOf } from "./result.js";
import { keyOfShow } from "./trail.js";

/**
 * @param {Object} state The page's.
 * @param {{canRead: () => boolean, call: (tool: string, args: Object) => Promise<Object>, kinds: Map,
 *   changed: () => void}} given
 * @returns {{readPart: (name: string, show: Object) => void, readAnew: (parts: [string, Object][]) => void}}
 * `readAnew` asks once more for parts of this view, whatever is asked for already.
 */
export function newPartReader(state, { canRead, call, kinds, changed }) {
  const readPart = (name, show) => {
    const held = state.parts[name];
    if (!canRead() || (held?.asking && keyOfShow(held.show) === keyOfShow(show))) return;
    const { turn } = state;
    // Of two questions for the same part the later one counts.
    const mark = (held?.mark ?? 0) + 1;
    const put = (part) => {
      if (turn !== state.turn || state.parts[name]?.mark > mark) return;
      const before = state.parts[name];
      state.parts = { ...state.parts, [name]: { ...before, show, said: "", mark, ...part } };
      changed();
    };
    put({ asking: true });
    call("refresh_view", { show }).then(
      (result) => {
        const payload = payloadOf(result, kinds);
        const came = payload?.facts && result.isError !== true;
        put({ asking: false, ...(came ? { drawing: payload } : { said: textOf(result) }) });
      },
      (error) => put({ asking: false, said: error.message }),
    );
  };
  const readAnew = (parts) => {
    const rested = parts.map(([name, part]) => [name, { ...part, asking: false }]);
    state.parts = { ...state.parts, ...Object.fromEntries(rested) };
    for (const [name, { show }] of parts) readPart(name, show);
  };
  return { readPart, readAnew };
}
