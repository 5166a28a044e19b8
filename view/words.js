// Bitbucket's words, one table for each thing that has them.
//
// Never decides anything: a value that the table does not know is shown as it came. Start at stateWords().

const STATES = {
  OPEN: { words: "Open", tone: "info", icon: "open" },
  MERGED: { words: "Merged", tone: "success", icon: "merged" },
  DECLINED: { words: "Declined", tone: "danger", icon: "declined" },
};
const DRAFT = { words: "Draft", tone: "neutral", icon: "draft" };

const REVIEWS = {
  APPROVED: { words: "Approved", tone: "success", icon: "check" },
  NEEDS_WORK: { words: "Requested changes", tone: "warning", icon: "needs-work" },
  UNAPPROVED: { words: "", tone: "neutral", icon: "" },
};

// In order of how much each needs somebody: the worst first.
const BUILDS = {
  FAILED: { words: "Failed", counted: "failed", tone: "danger", icon: "failed" },
  INPROGRESS: { words: "In progress", counted: "in progress", tone: "info", icon: "progress" },
  CANCELLED: { words: "Cancelled", counted: "cancelled", tone: "neutral", icon: "cancelled" },
  UNKNOWN: { words: "Unknown", counted: "unknown", tone: "neutral", icon: "unknown" },
  SUCCESSFUL: { words: "Successful", counted: "successful", tone: "success", icon: "success" },
};
const BUILD_ORDER = Object.keys(BUILDS);

const CHANGES = {
  Added: { letter: "A", tone: "success" },
  Modified: { letter: "M", tone: "info" },
  Deleted: { letter: "D", tone: "danger" },
  Renamed: { letter: "R", tone: "neutral" },
  Moved: { letter: "R", tone: "neutral" },
  Copied: { letter: "C", tone: "info" },
};

const TASKS = {
  OPEN: { words: "Task", tone: "warning", icon: "task" },
  RESOLVED: { words: "Task done", tone: "success", icon: "task-done" },
};

/** @typedef {{words: string, tone: string, icon: string}} Status What a lozenge or a row shows. */
/** @typedef {{n: number, exact: boolean}} Count Bitbucket's count of the whole, or how many there are at least. */

/** @param {string} state @returns {Status} The state of a pull request. */
export function stateWords(state) {
  return ownOf(STATES, state) ?? { words: sentenceCase(state), tone: "neutral", icon: "unknown" };
}

/** @returns {Status} */
export function draftWords() {
  return DRAFT;
}

/** @param {string} status @returns {Status} What a reviewer has said. */
export function reviewWords(status) {
  return (
    ownOf(REVIEWS, status) ?? { words: sentenceCase(status), tone: "neutral", icon: "unknown" }
  );
}

/** @param {string} state @returns {Status & {counted: string}} The state of one build. */
export function buildWords(state) {
  const words = sentenceCase(state);
  return (
    ownOf(BUILDS, state) ?? {
      words,
      counted: words.toLowerCase(),
      tone: "neutral",
      icon: "unknown",
    }
  );
}

/** @param {string} kind @returns {{words: string, letter: string, tone: string, icon: string}} What happened to a file. */
export function changeWords(kind) {
  const known = ownOf(CHANGES, kind) ?? { letter: "?", tone: "neutral" };
  return { ...known, words: ownOf(CHANGES, kind) ? kind : sentenceCase(kind), icon: "" };
}

/** @param {string} task @returns {Status} How a comment stands as a task. */
export function taskWords(task) {
  return ownOf(TASKS, task) ?? { words: sentenceCase(task), tone: "neutral", icon: "task" };
}

/** @param {string} state @returns {number} Lower is worse; a state nobody knows stands before the successful ones. */
export function buildSeverity(state) {
  const at = BUILD_ORDER.indexOf(state);
  return at < 0 ? BUILD_ORDER.length - 1.5 : at;
}

/**
 * "1 failed, 2 successful", the worst first.
 * @param {Object<string, number>} states How many builds are in each state.
 * @returns {string}
 */
export function buildCounts(states) {
  return Object.entries(states ?? {})
    .filter(([, n]) => n > 0)
    .sort(([a], [b]) => buildSeverity(a) - buildSeverity(b))
    .map(([state, n]) => `${n} ${buildWords(state).counted}`)
    .join(", ");
}

/** @param {Count} count @returns {string} "12", or "12+" where the end was not reached. */
export function countWords(count) {
  return `${count.n}${count.exact ? "" : "+"}`;
}

/** @param {Count | number} count @param {string} one @param {string} [many] @returns {string} "1 open task". */
export function counted(count, one, many = `${one}s`) {
  const whole = typeof count === "number" ? { n: count, exact: true } : count;
  return `${countWords(whole)} ${whole.n === 1 && whole.exact ? one : many}`;
}

/** @param {string} value @returns {string} "IN_REVIEW" as "In review". */
export function sentenceCase(value) {
  const text = String(value ?? "")
    .replaceAll("_", " ")
    .toLowerCase();
  return text === "" ? "Unknown" : text[0].toUpperCase() + text.slice(1);
}

// A key from outside must not reach what every object inherits.
function ownOf(table, key) {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
