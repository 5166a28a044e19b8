// Our own small drawings of Bitbucket's metaphors, 16 by 16, in the colour of the text beside them.
//
// Never stands for a word: every icon is hidden from assistive readers and has its word beside it.

import { svg } from "./el.js";

// What several of them begin with: a disc, two dots on a line and the start of a third, a box.
const ROUND = "M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8Z";
const PULL = "M4.5 6v4M4.5 2a2 2 0 1 0 0 4 2 2 0 0 0 0-4Zm0 8a2 2 0 1 0 0 4 2 2 0 0 0 0-4Zm7";
const BOX = "M3.5 2.5h9a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1h-9a1 1 0 0 1-1-1v-9a1 1 0 0 1 1-1Z";
const PATHS = {
  open: `${PULL} 0a2 2 0 1 0 0 4 2 2 0 0 0 0-4Zm0 0V6.5c0-1.4-.8-2.2-2.2-2.2H8M9.8 2.3 7.8 4.3l2 2`,
  merged:
    `${PULL}-3a2 2 0 1 0 0 4 2 2 0 0 0 0-4Zm-2 2C6.7 9 4.5 8 4.5 6`,
  declined:
    `${PULL} 0a2 2 0 1 0 0 4 2 2 0 0 0 0-4Zm0 0V8M9.5 2.5l4 4M13.5 2.5l-4 4`,
  draft: "m10.3 3.2 2.5 2.5-7.3 7.3-3 .5.5-3 7.3-7.3Zm-1.8 1.8L11 7.5",
  branch:
    "M5 5.5v5M5 2.5a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3Zm0 8a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3Zm6-8a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3Zm0 3c0 2.5-1.6 3.5-6 4",
  arrow: "M2.5 8h10.5M9.5 4.5 13 8l-3.5 3.5",
  check: "m3.5 8.5 3 3 6-7",
  success: `${ROUND}M5.2 8.2l2 2 3.7-4.2`,
  failed: `${ROUND}M5.7 5.7l4.6 4.6M10.3 5.7l-4.6 4.6`,
  progress: `${ROUND}M8 4.5V8l2.4 1.5`,
  cancelled: `${ROUND}M5 8h6`,
  unknown:
    `${ROUND}M6.2 6.3c0-1.1.8-1.8 1.8-1.8s1.8.7 1.8 1.6c0 1.3-1.8 1.5-1.8 2.7M8 11.2v.1`,
  "needs-work": `${ROUND}M8 4.6v4.2M8 11.2v.1`,
  warning: "M8 2.2 14.2 13H1.8L8 2.2ZM8 6.3v3.2M8 11.3v.1",
  blocked: `${ROUND}M3.7 3.7l8.6 8.6`,
  task: BOX,
  "task-done":
    `${BOX}M5.2 8.2l2 2 3.7-4.2`,
  comment: "M2.5 3.5h11v7.5H7.5L4.5 13.5V11h-2V3.5Z",
  out: "M6.5 3.5h-3v9h9v-3M9 3h4v4M12.8 3.2 7.5 8.5",
  grow: "M9.5 2.5h4v4M13.3 2.7 9.5 6.5M6.5 13.5h-4v-4M2.7 13.3l3.8-3.8",
  shrink: "M13.5 6.5h-4v-4M9.7 6.3l3.8-3.8M2.5 9.5h4v4M6.3 9.7l-3.8 3.8",
  again: "M13 4v3.5H9.5M12.7 7.2A5 5 0 1 0 13 9",
  back: "M13 8H3M6.5 4.5 3 8l3.5 3.5",
  more: "m4 6 4 4 4-4",
  file: "M4 1.8h5l3.5 3.5v8.9H4ZM9 1.8v3.5h3.5",
  folder: "M1.8 4h4.5l1.4 1.8h6.5v7H1.8Z",
  previous: "m4 10 4-4 4 4",
  unfold: "m5 5.5 3-3 3 3M8 2.5v4M5 10.5l3 3 3-3M8 13.5v-4M2.5 8h11",
  none: "M2.5 4.5h11v8h-11zM2.5 9h3l1 1.5h3l1-1.5h3",
};

/**
 * An icon by name; a name nobody knows draws nothing.
 * @param {string} name
 * @returns {SVGElement | null}
 */
export function icon(name) {
  if (!Object.hasOwn(PATHS, name)) return null;
  return svg(
    "svg",
    {
      class: `icon icon-${name}`,
      viewBox: "0 0 16 16",
      width: 16,
      height: 16,
      "aria-hidden": "true",
      focusable: "false",
    },
    svg("path", { d: PATHS[name] }),
  );
}
