// Asks what could stand in a field of a form, once nobody has typed there for a moment.
//
// Never asks twice at once for one field: of several questions the last is answered. Start at newSuggester().

import { textOf } from "./result.js";

const TYPED_MS = 200;

/**
 * @param {(run: () => void, ms: number) => unknown} later
 * @param {(timer: unknown) => void} never
 * @param {(asked: {field: string, text: string, values: Object}) => Promise<Object>} call
 * @returns {(field: string, text: string, values: Object) => Promise<Found>}
 */
export function newSuggester(later, never, call) {
  const last = new Map();
  return (field, text, values) =>
    new Promise((resolve) => {
      never(last.get(field));
      const timer = later(() => {
        const put = (found) => last.get(field) === timer && resolve(found);
        call({ field, text, values }).then(
          (result) => put(result._meta?.["bb/view"] ?? { said: textOf(result) }),
          (error) => put({ said: error.message }),
        );
      }, TYPED_MS);
      last.set(field, timer);
    });
}
