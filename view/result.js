// What a tool's result carries for the view: the drawing, or why there is none.
//
// Never draws. Start at payloadOf().

import { shortened } from "./parts.js";

/**
 * What a view draws, as bb sends it under `_meta["bb/view"]`.
 * @typedef {{format: number, kind: string, show: Object, fingerprint: string, read_at: string,
 *   motion: "moving" | "quiet" | "still", offers: {kinds: string[], tools: string[]}, facts: Object,
 *   dressing?: {avatars?: Object<string, {type: string, base64: string}>, code?: Object<string, string[][]>}}} Drawing
 * A refusal may carry `{format, retry_after_ms}`; an answer that nothing changed `{format, unchanged: true, read_at, motion}`.
 * `retry_after_ms` beside either: Bitbucket refused a part of it for a rate, and said how long to wait.
 */

/** How a drawing is written; the page draws no other. */
export const FORMAT = 1;
const META_KEY = "bb/view";

/** The drawing of a result; its `facts` are null where this page cannot draw it. @param {Map} kinds */
export function payloadOf(result, kinds) {
  const payload = result?._meta?.[META_KEY];
  if (typeof payload !== "object" || payload === null) return null;
  return payload.format === FORMAT && kinds.has(payload.kind)
    ? payload
    : { ...payload, facts: null };
}

/** Whether it is of another bb than this page: a host may hold a page of an older one. */
export function isForeign(payload, kinds) {
  return (
    payload !== null &&
    (payload.format !== FORMAT || (payload.kind !== undefined && !kinds.has(payload.kind)))
  );
}

/** The words of a result. */
export function textOf(result) {
  const blocks = Array.isArray(result?.content) ? result.content : [];
  const texts = blocks
    .filter((block) => block?.type === "text" && typeof block.text === "string")
    .map((block) => block.text);
  return shortened(texts.join(" "), 1_500);
}
