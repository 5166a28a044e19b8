// The parts that every kind is put together from: lozenge, person, link, count, section, and the page's states.
//
// Never knows a kind, reads a clock or asks the host. Start at section().

import { el, spelled, webAddress } from "./el.js";
import { icon } from "./icons.js";
import { countWords } from "./words.js";

/**
 * A person as Bitbucket names one. `avatar` is a key of the drawing's dressing.
 * @typedef {{name: string, display_name: string, avatar?: string, deleted?: boolean}} Person
 */

/** A status as Bitbucket words it. @param {{tone: string, icon: string, words: string}} status */
export function lozenge(status) {
  return el(
    "span",
    { class: `lozenge tone-${toneOf(status)}` },
    icon(status.icon),
    el("span", {}, status.words),
  );
}

/** The icon of a status, for a row whose words stand beside it. @param {{tone: string, icon: string}} status */
export function mark(status) {
  return el(
    "span",
    { class: `mark tone-${toneOf(status)}`, "aria-hidden": "true" },
    icon(status.icon),
  );
}

/** A name that may be written in either direction, isolated from what stands beside it. @param {string} text */
export function isolated(text, className = "") {
  return el("bdi", { class: className || null, dir: "auto" }, text);
}

/**
 * A person's picture: initials, over which the page paints what the dressing carries. `status` is drawn on its edge.
 * @param {Person} person
 * @param {{tone: string, icon: string, words: string}} [status]
 */
export function avatar(person, status) {
  return el(
    "span",
    {
      class: "avatar",
      "aria-hidden": "true",
      "data-avatar": person?.avatar,
      "data-tone": hueOf(person?.name ?? ""),
    },
    el("span", { class: "initials" }, initials(nameOf(person))),
    status?.icon ? el("span", { class: `badge tone-${toneOf(status)}` }, icon(status.icon)) : null,
  );
}

/** A person's name; one who is gone from Bitbucket is said to be. @param {Person} person */
export function personName(person) {
  return el(
    "span",
    { class: "person", title: person?.name },
    isolated(nameOf(person)),
    person?.deleted ? el("span", { class: "quiet" }, " (deleted)") : null,
  );
}

/** @param {Person | null | undefined} person @returns {string} */
export function nameOf(person) {
  return person?.display_name || person?.name || "Somebody";
}

/**
 * A link that the host opens, or its words alone where the address is none for the web.
 * @param {string | null | undefined} address
 * @param {Object<string, string>} attributes
 * @param {...(Node | string)} words
 */
export function link(address, attributes, ...words) {
  const web = webAddress(address);
  if (!web) return el("span", { class: attributes.class }, ...words);
  return el(
    "a",
    {
      title: web,
      ...attributes,
      href: web,
      "data-focus": attributes["data-focus"] ?? `link ${web}`,
    },
    ...words,
  );
}

/**
 * A button with words, and an icon before them where it has one.
 * @param {string} words
 * @param {Function} pressed
 * @param {{icon?: string, focus: string, quiet?: boolean, disabled?: boolean, label?: string, main?: boolean,
 *   pressed?: boolean, expanded?: boolean, current?: boolean, busy?: boolean}} options
 *   `busy`: pressing it does nothing now, and it keeps the focus.
 */
export function button(words, pressed, options) {
  return el(
    "button",
    {
      type: "button",
      class: `button${options.quiet ? " button-quiet" : ""}${options.main ? " button-main" : ""}`,
      "data-focus": options.focus,
      "aria-label": options.label,
      "aria-pressed": options.pressed === undefined ? null : `${options.pressed}`,
      "aria-expanded": options.expanded === undefined ? null : `${options.expanded}`,
      "aria-current": options.current ? "page" : null,
      "aria-disabled": options.busy ? "true" : null,
      disabled: options.disabled,
      click: pressed,
    },
    options.icon ? icon(options.icon) : null,
    el("span", {}, words),
  );
}

/**
 * What heads every kind: where it lies, what can be opened from here, its title and what is said beside that.
 * @param {{project: string, repo: string} | null} repository
 * @param {(string | Node)[]} crumbs What follows the repository.
 * @param {{title: string | Node, address?: string, actions?: (Node | null)[], meta: Array}} head
 * @param {{mode: string, modes: string[], ask: Object}} view
 */
export function pageHead(repository, crumbs, { title, address, actions = [], meta }, view) {
  const isFull = view.mode === "fullscreen";
  const places = repository ? [repository.project, repository.repo] : [];
  return el(
    "div",
    { class: "head" },
    el(
      "div",
      { class: "head-top" },
      el(
        "p",
        { class: "crumbs" },
        [...places.map((name) => isolated(`${name}`)), ...crumbs].map((crumb, at) => [
          at > 0 ? el("span", { class: "crumb-rule", "aria-hidden": "true" }, "/") : null,
          el("span", {}, crumb),
        ]),
      ),
      el(
        "div",
        { class: "actions" },
        actions,
        address
          ? link(
              address,
              { class: "button button-quiet", "data-focus": "bitbucket" },
              icon("out"),
              el("span", {}, "Open in Bitbucket"),
            )
          : null,
        view.modes.includes("fullscreen")
          ? button(isFull ? "Exit fullscreen" : "Fullscreen", () => view.ask.mode(), {
              icon: isFull ? "shrink" : "grow",
              focus: "mode",
              quiet: true,
            })
          : null,
      ),
    ),
    el("h1", { dir: "auto" }, title),
    meta.length > 0 ? el("div", { class: "meta" }, meta) : null,
  );
}

/** The name of a branch, a tag or a commit. `before` stands in front of it, `address` is where it leads. */
export function branchChip(name, title = name, before = null, address = null) {
  return el(
    "span",
    { class: "branch", title },
    icon("branch"),
    before,
    link(address, { class: "branch-name" }, isolated(name ?? "")),
  );
}

/** What would go where. @param {Node} source @param {Node} target */
export function branches(source, target) {
  return el(
    "span",
    { class: "branches" },
    source,
    icon("arrow"),
    el("span", { class: "unseen" }, " into "),
    target,
  );
}

/** A person as whoever made the thing. @param {Person} person */
export function byline(person) {
  return el("span", { class: "by" }, avatar(person), personName(person));
}

/**
 * A part of a view under its heading. `said` stands beside the heading: a count, or how it stands.
 * @param {string} name Names the part in the style sheet.
 * @param {string | Node} title
 * @param {string | Node | Array | null} said
 * @param {...(Node | null)} children
 */
export function section(name, title, said, ...children) {
  return el(
    "section",
    { class: `part part-${name}` },
    el(
      "div",
      { class: "part-head" },
      el("h2", {}, title),
      said ? el("span", { class: "part-said" }, said) : null,
    ),
    children,
  );
}

/**
 * A row of a list: a status's mark, what it is about, and what stands under that.
 * @param {Node | null} before
 * @param {Array | Node | string} words
 * @param {Array | Node | string | null} [after] At the row's end.
 * @param {Array | Node | string | null} [under] In a quieter line below.
 */
export function row(before, words, after = null, under = null) {
  return el(
    "li",
    { class: "row" },
    before,
    el("div", { class: "row-line" }, words),
    after ? el("div", { class: "row-after" }, after) : null,
    under ? el("div", { class: "row-under" }, under) : null,
  );
}

/**
 * The end of every list: says that fewer are listed than there are, and how to have the next ones: those that the
 * drawing carries, else `more`, else Bitbucket's own page.
 * @param {{shown: number, carried: number, count: Count, many?: string, name: string, ask: Object, said?: string,
 *   more?: Node | Array | null, rest?: string}} list `said`: how many, where "n of m" does not; `more`: what asks for
 *   those that are not carried; `rest`: what neither way has.
 * @returns {HTMLElement | null} Nothing where all are listed.
 */
export function listFoot({ shown, carried, count, many, name, ask, said, more, rest }) {
  const total = count ?? { n: carried, exact: true };
  if (shown >= total.n && total.exact) return null;
  const isCarried = shown < carried;
  const beyond = rest || (isCarried || more ? "" : ": see Bitbucket");
  return el(
    "div",
    { class: "part-foot" },
    el("span", { class: "quiet" }, `Showing ${said ?? `${shown} of ${countWords(total)}`}${beyond}`),
    isCarried
      ? button("Show more", () => ask.grow(name), {
          icon: "more",
          focus: `grow ${name}`,
          quiet: true,
          label: many ? `Show more ${many}` : null,
        })
      : more,
  );
}

/** Stands where a part could not be read, and says why. @param {string} phrase */
export function unread(phrase) {
  return el("p", { class: "notice tone-warning" }, icon("warning"), el("span", {}, phrase));
}

/** Stands where there is nothing to list. @param {string} words */
export function nothing(words) {
  return el("p", { class: "quiet" }, words);
}

/**
 * A whole page that is no drawing: waiting, empty, failed, no result.
 * @param {{icon: string, tone: string, title: string, texts: string[], busy?: boolean, actions?: Node[]}} state
 */
export function statePage({ icon: name, tone, title, texts, busy, actions }) {
  return el(
    "div",
    { class: "state", "aria-busy": busy ? "true" : null },
    el(
      "span",
      {
        class: busy ? "mark state-mark is-busy" : `mark state-mark tone-${tone}`,
        "aria-hidden": "true",
      },
      icon(name),
    ),
    el(
      "div",
      { class: "state-words" },
      el("h1", {}, title),
      texts.filter((text) => text !== "").map((text) => el("p", { dir: "auto" }, text)),
      actions?.length ? el("div", { class: "actions" }, actions) : null,
    ),
  );
}

/** The address of a pressed link, to copy where the host opens none. @param {string} address */
export function addressToCopy(address) {
  return el(
    "span",
    { class: "address", role: "note" },
    el("span", { class: "quiet" }, "Address: "),
    el(
      "code",
      {
        class: "address-text",
        tabindex: 0,
        dir: "ltr",
        "data-focus": "address",
        "aria-label": `Address to copy: ${address}`,
      },
      address,
    ),
  );
}

/** @param {string} text @param {number} most @returns {string} At most so many signs, the cut marked. */
export function shortened(text, most) {
  const signs = [...spelled(text ?? "")];
  return signs.length <= most ? signs.join("") : `${signs.slice(0, most - 1).join("")}…`;
}

const TONES = new Set(["danger", "warning", "success", "info", "neutral"]);

function toneOf(status) {
  return TONES.has(status.tone) ? status.tone : "neutral";
}

function initials(name) {
  const words = name
    .replace(/[^\p{L}\p{N}\s]/gu, "")
    .trim()
    .split(/\s+/u);
  const letters = words.length > 1 ? [words[0], words[words.length - 1]] : [words[0] ?? ""];
  return (
    letters
      .map((word) => [...word][0] ?? "")
      .join("")
      .toUpperCase() || "?"
  );
}

function hueOf(name) {
  let sum = 0;
  for (const sign of name) sum = (sum * 31 + sign.codePointAt(0)) % 6;
  return `hue-${sum}`;
}
