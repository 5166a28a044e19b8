// The list that three kinds share: its head, its rows, how many there are, and the way to the rest.
//
// Never knows what a row is about. Start at listKind().

import { el } from "./el.js";
import { button, isolated, link, mark, nothing, pageHead, shortened, unread } from "./parts.js";
import { buildCounts, buildSeverity, buildWords, countWords } from "./words.js";

const FIRST_LISTED = 7;
const MORE_ROWS = 10;
const STEP_ASKED = 25;
const MOST_ASKED = 100;
// What of a call is said elsewhere than beside the heading.
const SAID_ELSEWHERE = new Set(["id", "commit_id", "state", "start", "limit"]);

/**
 * Every list's facts have `address`, `asked` (the call's arguments, without the place), `count`, `listed`, and may
 * have `next` (where the next part begins), `left_out` (read, and not carried, for they do not fit) and
 * `builds_unread` (why the marks of the builds are missing).
 *
 * @param {Object} kind
 * @param {string} kind.name
 * @param {(facts: Object) => string} kind.title What is listed, and of what.
 * @param {(one: Object) => string} kind.id Tells one row from another.
 * @param {(one: Object) => string} kind.words A row for the model: what it is, and how it stands.
 * @param {(facts: Object, view: Object, show: Object) => {crumbs: string[], heading: string | Array, sum?: string,
 *   none: string, tools?: Node | null, row: (one: Object) => Node}} kind.list What is drawn; `none` where it is empty.
 */
export function listKind({ name, title, id, words, list }) {
  return {
    name,
    shape: "list",
    noun: name.replace("_", " "),
    title: (facts) => `${title(facts)} - Bitbucket`,
    regions(drawing, view) {
      const { facts, show, offers } = drawing;
      const of = [facts, show, offers, view.opens(name), view.grown.rows];
      const draw = () => drawListed(facts, show, view, list(facts, view, show));
      return [{ name: "list", slot: "head", of, draw }];
    },
    describe(facts) {
      const shown = partWords(facts.listed.length, facts);
      const rows = facts.listed.map(words).join("; ");
      // What changed since has its place behind it.
      return shortened(`On screen: ${title(facts)}, ${shown}: ${rows}.`, 600);
    },
    changes(before, after) {
      if (before.asked.limit !== after.asked.limit)
        return [`The person asked for more: ${after.listed.length} are there now.`];
      const was = new Map(before.listed.map((one) => [id(one), words(one)]));
      const said = [];
      for (const one of after.listed) {
        const [then, now] = [was.get(id(one)), words(one)];
        was.delete(id(one));
        if (now !== then) said.push(then ? `${now} (was: ${then}).` : `New: ${now}.`);
      }
      // What others pushed off the end is not gone.
      if (was.size > 0 && !after.next) said.push(`Gone: ${[...was.values()].join("; ")}.`);
      return said.length > 0 ? said : ["The list was updated."];
    },
  };
}

function drawListed(facts, show, view, { crumbs, heading, sum, none, tools, row }) {
  const { listed, asked } = facts;
  const most =
    view.mode === "fullscreen" ? Infinity : FIRST_LISTED + MORE_ROWS * (view.grown.rows ?? 0);
  const filters = Object.entries(asked).filter(([name]) => !SAID_ELSEWHERE.has(name));
  const said = filters.map(([name, value]) => `${name.replace("_", " ")}: ${value}`);
  if (sum) said.unshift(sum);
  return [
    pageHead(
      facts.repository,
      crumbs,
      { title: heading, address: facts.address, meta: [] },
      view,
    ),
    said.length > 0 ? el("p", { class: "quiet dotted" }, said.map((one) => isolated(one))) : null,
    tools,
    facts.builds_unread ? unread(facts.builds_unread) : null,
    listed.length > 0
      ? el("ul", { class: "rows list" }, listed.slice(0, most).map(row))
      : nothing(`${none}${fromWords(asked)}`),
    drawEnd(facts, show, view, Math.min(most, listed.length)),
  ];
}

// What the drawing carries is shown first; then the same list is asked for longer, and past that its next part.
function drawEnd({ listed, asked, next, left_out: leftOut, count }, show, view, shown) {
  const limit = asked.limit ?? STEP_ASKED;
  const isCarried = shown < listed.length;
  if (!isCarried && !next && !leftOut) return null;
  const canAsk = !isCarried && next > 0 && view.opens(show.kind);
  const isLonger = canAsk && limit < MOST_ASKED && !leftOut;
  const longer = { ...show, limit: Math.min(limit + STEP_ASKED, MOST_ASKED) };
  const step = isCarried
    ? () => view.ask.grow("rows")
    : () => (isLonger ? view.ask.longer(longer, "rows") : view.ask.open({ ...show, start: next }));
  const words = isCarried || isLonger ? "Show more" : "Next page";
  return el(
    "div",
    { class: "part-foot" },
    el("span", { class: "quiet" }, `Showing ${partWords(shown, { asked, next, listed, count })}`),
    leftOut > 0 ? el("span", {}, `. ${leftOut} more ${leftOut === 1 ? "does" : "do"} not fit here: see Bitbucket`) : null,
    isCarried || canAsk ? button(words, step, { icon: "more", focus: words, quiet: true }) : null,
  );
}

// "25 of 312", or "25, and more" where Bitbucket does not count.
function partWords(shown, { asked, next, listed, count }) {
  const from = fromWords(asked);
  if (count.exact) return `${shown}${from} of ${countWords(count)}`;
  return `${shown}${from}${next || shown < listed.length ? ", and more" : ""}`;
}

const fromWords = ({ start }) => (start > 0 ? ` from place ${start + 1} on` : "");

/**
 * Buttons of which one is pressed: each asks for the list another way.
 * @param {string} label
 * @param {string[][]} choices Value and words.
 * @param {string} chosen
 * @param {(value: string) => void} choose
 */
export function switcher(label, choices, chosen, choose) {
  return el(
    "div",
    { class: "actions switch", role: "group", "aria-label": label },
    choices.map(([value, words]) =>
      button(words, () => value === chosen || choose(value), {
        focus: `${label} ${value}`,
        quiet: true,
        pressed: value === chosen,
      }),
    ),
  );
}

/**
 * What a row is about: a button that opens it in place where that can be, else a link to Bitbucket, else words.
 * @param {Object} show The call that would show it.
 * @param {string | undefined} address
 * @param {string} focus
 * @param {...(Node | string | null)} words
 */
export function opener(view, show, address, focus, ...words) {
  const attributes = { class: "button button-quiet opener", "data-focus": focus };
  if (!view.opens(show.kind)) return link(address, attributes, ...words);
  return el(
    "button",
    { type: "button", ...attributes, click: () => view.ask.open(show) },
    ...words,
  );
}

/** A small sign with a number that has its words. @param {Node} sign @param {string} words */
export function tally(sign, shown, words) {
  return el(
    "span",
    { class: "tally", title: words },
    sign,
    el("span", { "aria-hidden": "true" }, shown),
    el("span", { class: "unseen" }, words),
  );
}

/** How the builds of one commit stand: the worst one's mark. @param {Object<string, number>} [states] */
export function buildsMark(states = {}) {
  const worst = Object.keys(states).sort((a, b) => buildSeverity(a) - buildSeverity(b))[0];
  return worst ? tally(mark(buildWords(worst)), "", `Builds: ${buildCounts(states)}`) : null;
}
