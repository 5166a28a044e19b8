// The pages that stand where no drawing is: waiting, empty, failed, no result. Each says what the person can do.
//
// Never asks: the buttons are handed in. Start at drawStage().

import { el } from "./el.js";
import { button, statePage } from "./parts.js";

/**
 * @param {{stage: string, said: string, noun: string, format: number, canRead: boolean, again: Node, back: Node | null}} given
 * `said` is what came with the result or the refusal; `again` reads once more, where that can be.
 * @returns {HTMLElement}
 */
export function drawStage({ stage, said, noun, format, canRead, again, back }) {
  const actions = [canRead ? again : null, back].filter((node) => node !== null);
  const way = canRead
    ? "Read it again, or ask in the chat."
    : "Ask in the chat to have it shown again.";
  const page = (icon, tone, title, ...texts) => statePage({ icon, tone, title, texts, actions });
  switch (stage) {
    case "waiting":
    case "reading":
      return statePage({
        icon: "progress",
        tone: "info",
        busy: true,
        title: `Reading the ${noun} from Bitbucket`,
        texts: [said],
        actions: back ? [back] : [],
      });
    case "failed":
      return page("warning", "danger", `The ${noun} could not be read`, said, way);
    case "cancelled":
      return page("cancelled", "neutral", "The reading was cancelled", way);
    case "format":
      return page(
        "warning",
        "warning",
        "This view is of another version of bb",
        said,
        `The page that the chat holds reads format ${format}, and not every kind of view. Reload the chat, so that it fetches the page anew.`,
      );
    case "unreadable":
      return page(
        "warning",
        "warning",
        "What came could not be drawn",
        said,
        `Parts of it are missing or not as bb writes them. ${way}`,
      );
    default:
      return page(
        "none",
        "neutral",
        "No data has come",
        said,
        `The result of this view did not reach it. ${way}`,
      );
  }
}

/** Stands below every drawing: when it was read, and what the last read said if it failed. */
export function drawFoot(notice, time, again) {
  return el(
    "footer",
    { class: "foot" },
    notice ? el("p", { class: "notice tone-warning" }, el("span", { dir: "auto" }, notice)) : null,
    el("span", { class: "quiet" }, "Read ", time ?? "at a time unknown"),
    again,
  );
}

/** Says that a newer state came, which waits until the person wants it. @param {() => void} taken */
export function drawOffer(taken) {
  return el(
    "p",
    { class: "notice tone-info" },
    el("span", {}, "This has changed in Bitbucket since."),
    button("Show the newer state", taken, { icon: "again", focus: "offer", quiet: true }),
  );
}
