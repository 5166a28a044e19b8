// Ages and dates, in the host's locale and time zone.
//
// Never reads the clock: now is handed in. Start at timeElement().

import { el } from "./el.js";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const WEEK_MS = 7 * DAY_MS;

/**
 * @typedef {{now: number, locale?: string, zone?: string}} Clock
 * `now` in Unix milliseconds; locale and zone as the host names them, else the browser's own.
 */

/**
 * A time as people say it: "2 hours ago" below a week, the date from then on. nameTimes() adds the full date.
 * @param {string} at RFC 3339.
 * @param {Clock} clock
 * @returns {HTMLElement | null} Nothing where there is no date to show.
 */
export function timeElement(at, clock) {
  const ms = Date.parse(at ?? "");
  if (Number.isNaN(ms)) return null;
  return el("time", { datetime: new Date(ms).toISOString() }, age(ms, clock));
}

/**
 * Gives every new time below `root` its full date, shown on hover. A browser takes long to make its first date, so a
 * drawing does not wait for them.
 * @param {Element} root
 * @param {Clock} clock
 */
export function nameTimes(root, clock) {
  for (const node of root.querySelectorAll("time:not([title])"))
    node.title = formatted(Date.parse(node.getAttribute("datetime")), clock, {
      dateStyle: "full",
      timeStyle: "long",
    });
}

/**
 * Writes the ages of every time below `root` anew, touching only those whose words changed.
 * @param {Element} root
 * @param {Clock} clock
 */
export function freshenTimes(root, clock) {
  for (const node of root.querySelectorAll("time[datetime]")) {
    const words = age(Date.parse(node.getAttribute("datetime")), clock);
    if (node.textContent !== words) node.textContent = words;
  }
}

/** @param {number} ms Unix milliseconds. @param {Clock} clock @returns {string} "5 minutes ago", "05 Sep 2025". */
export function age(ms, clock) {
  const past = clock.now - ms;
  if (past < MINUTE_MS && past > -MINUTE_MS) return "just now";
  if (past < 0 || past >= WEEK_MS)
    return formatted(ms, clock, { day: "2-digit", month: "short", year: "numeric" });
  if (past < HOUR_MS) return ago(Math.floor(past / MINUTE_MS), "minute");
  if (past < DAY_MS) return ago(Math.floor(past / HOUR_MS), "hour");
  const days = Math.floor(past / DAY_MS);
  return days === 1 ? "yesterday" : ago(days, "day");
}

/** @param {number} ms A length of time. @returns {string} "1m 30s". */
export function lengthOf(ms) {
  const seconds = Math.round(Math.min(ms, 1000 * HOUR_MS) / 1000);
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return seconds % 60 ? `${minutes}m ${seconds % 60}s` : `${minutes}m`;
  return minutes % 60
    ? `${Math.floor(minutes / 60)}h ${minutes % 60}m`
    : `${Math.floor(minutes / 60)}h`;
}

function ago(n, unit) {
  return `${n} ${unit}${n === 1 ? "" : "s"} ago`;
}

// A host may name a locale or a zone that the browser does not know; then the browser's own are used.
function formatted(ms, clock, options) {
  const key = JSON.stringify([clock.locale, clock.zone, options]);
  if (!formats.has(key)) formats.set(key, formatOf(clock, options));
  return formats.get(key).format(ms);
}

// To make one takes longer than all the rest of a comment.
const formats = new Map();

function formatOf(clock, options) {
  try {
    const given = { ...options, timeZone: clock.zone };
    return new Intl.DateTimeFormat(englishOf(clock.locale), given);
  } catch {
    return new Intl.DateTimeFormat("en-GB", options);
  }
}

// The page speaks English, so of the host's locale it takes what English allows: the region's order of a date.
function englishOf(locale) {
  return /^en(-latn)?$|-us\b/i.test(locale ?? "") ? "en-US" : "en-GB";
}
