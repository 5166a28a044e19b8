// The form of a pull request that is not there yet, and beside it what the person decides by.
//
// Never a form element, and never creates anything but by a press of its button. What the person has not touched is what
// bb fills in for the chosen branches. Start at createPullRequest.

import { el } from "../el.js";
import { icon } from "../icons.js";
import {
  avatar,
  button,
  link,
  listFoot,
  nameOf,
  nothing,
  pageHead,
  personName,
  row,
  section,
  unread,
} from "../parts.js";
import { counted } from "../words.js";
import { combobox } from "../combobox.js";
import { markdown } from "../markdown.js";

/**
 * What a drawing of this kind carries under `facts`; a part that bb could not read is `{unread}` in its place.
 * @typedef {Object} FormFacts
 * @property {string} address Bitbucket's own form of the same.
 * @property {Repository} repository The target's.
 * @property {{branch: string, repository?: Repository}} source `repository` only of a fork.
 * @property {{branch: string}} target
 * @property {string} title As the model drafted it, else as Bitbucket's own form has it; so are the next ones.
 * @property {string} [description] Absent where the model drafted it: it stands in `show`.
 * @property {boolean} [draft] Absent where this Bitbucket has no drafts.
 * @property {(Person & {unknown?: boolean})[]} reviewers
 * @property {{count: Count, listed: {id: string, subject: string, author?: string}[]} | Unread} commits
 * @property {Count | Unread} files
 * @property {"clean" | "conflicts"} [merges]
 * @property {{id: number, title: string, address: string}} [open] Between the two already.
 * @property {string} [stop] Why it cannot be submitted.
 * @property {string[]} notes
 * @property {boolean} suggests
 *
 * What the person did to it stands in `grown.form`:
 * @typedef {{pair?: Pair, title?: string, description?: string, reviewers?: Person[], nodes?: MarkdownNode[] | null,
 *   over?: string, url?: string}} Written `nodes`: the description is previewed. `over`: how it ended.
 * @typedef {{source_repo: string, source_branch: string, target_branch: string}} Pair
 */

const TITLE_SIGNS = 255;
const COMMITS_AT_FIRST = 5;
// The fields by what the tool, or Bitbucket, calls them.
const FIELDS = new Map([
  ["title", "title"],
  ["description", "description"],
  ["reviewers", "reviewers"],
  ["source_repo", "source_repo"],
  ["source_branch", "source_branch"],
  ["target_branch", "target_branch"],
  ["fromRef", "source_branch"],
  ["toRef", "target_branch"],
]);
const ENDS = [
  ["source_repo", "Source repository"],
  ["source_branch", "Source branch"],
  ["target_branch", "Target branch"],
];

/** How this kind is drawn and told of. */
export const createPullRequest = {
  name: "create_pull_request",
  shape: "columns",
  noun: "form",
  title: () => "Create pull request - Bitbucket",
  regions: formRegions,
  describe: (facts, { form }) =>
    `The form of a pull request from ${Object.values(form?.pair ?? pairOf(facts)).join(" ")} is on the person's screen. ${form?.over ?? "Nothing was created yet."}`,
  changes: () => ["The form was read again."],
};

const placeOf = ({ project, repo }) => `${project}/${repo}`;
const pairOf = ({ source, target, repository }) => ({
  source_repo: placeOf(source.repository ?? repository),
  source_branch: source.branch,
  target_branch: target.branch,
});

function formRegions({ facts: first, show }, view) {
  const { desk, ask } = view;
  const form = view.grown.form ?? {};
  const pair = form.pair ?? pairOf(first);
  const key = Object.values(pair).join(" ");
  const part = view.parts[key];
  const facts = part?.drawing?.facts ?? first;
  const told = {};
  const rest = [];
  for (const { field, message } of desk.at("submit").said?.errors ?? []) {
    const name = FIELDS.get(field);
    if (name) told[name] = message;
    else rest.push(message.replace("may have happened", "may have been created"));
  }
  // No more than a part looks at: a field that is drawn anew loses what was typed there and not taken yet.
  const region = (name, slot, draw, ...of) => ({
    name,
    slot,
    of: [key, told, desk.isBusy(), view.canAsk, facts.suggests, of],
    draw,
  });
  const f = {
    ask,
    desk,
    view,
    form,
    pair,
    facts,
    told,
    rest,
    isBusy: desk.isBusy(),
    isReading: part?.asking,
    said: part?.said,
    title: facts.title,
    description: facts.description ?? show.description,
    reviewers: facts.reviewers,
    ...form,
    find: facts.suggests && view.canAsk && ((name) => (text) => ask.suggest(name, text, pair)),
    choose(to) {
      ask.edit({ pair: to });
      ask.part(Object.values(to).join(" "), { ...show, source_project: null, ...to });
    },
  };
  const head = region("head", "head", () =>
    pageHead(first.repository, [], { title: "Create pull request", address: facts.address, meta: [] }, view),
  );
  if (f.over) return [head, region("over", "head", () => drawOver(f), f.over)];
  const at = [f.isReading, f.said];
  return [
    head,
    region("ends", "head", () => el("div", { class: "ends" }, ENDS.map((end) => drawPlace(f, ...end)))),
    region("title", "main", () => drawTitle(f), facts.title),
    region("text", "main", () => drawText(f), facts.description, f.nodes),
    region("asked", "main", () => drawAsked(f), f.reviewers),
    region("submit", "main", () => drawSubmit(f), facts, at, rest),
    region("pair", "side", () => drawPair(f), facts, at, view.grown.commits),
  ];
}

// ---- the fields ----

function field({ told }, name, label, beside, ...children) {
  return el(
    "div",
    { class: "field" },
    el("div", { class: "actions" }, el("label", { for: name }, label), beside),
    children,
    told[name] &&
      el("p", { id: `${name}-said`, class: "notice tone-danger" }, icon("warning"), told[name]),
  );
}

function attributesOf({ told, isBusy }, name) {
  return {
    id: name,
    class: "text",
    dir: "auto",
    "data-focus": name,
    readonly: isBusy,
    "aria-invalid": told[name] && "true",
    "aria-describedby": told[name] && `${name}-said`,
  };
}

function drawPlace(f, name, label) {
  const pick = ({ value }) => f.choose({ ...f.pair, [name]: value });
  return field(
    f,
    name,
    label,
    null,
    combobox(attributesOf(f, name), f.pair[name], f.find && f.find(name), pick),
  );
}

function drawTitle(f) {
  const count = el("span", { class: "quiet" });
  const tell = () => {
    count.textContent = `${[...input.value].length} of ${TITLE_SIGNS}`;
  };
  const input = el("input", {
    ...attributesOf(f, "title"),
    input() {
      tell();
      f.ask.edit({ title: input.value });
    },
  });
  input.value = f.title;
  tell();
  return field(f, "title", "Title", count, input);
}

function drawText(f) {
  const name = "description";
  const { ask, nodes } = f;
  const area = el("textarea", {
    ...attributesOf(f, name),
    rows: 3,
    input: () => ask.edit({ description: area.value }),
  });
  area.value = f.description ?? "";
  const put = (nodes) => ask.edit({ nodes });
  const tab = (words, isHere, press) =>
    button(words, press, { quiet: true, focus: words, pressed: isHere });
  const preview = () => {
    const empty = [];
    put(empty);
    f.find(name)(area.value).then((found) => {
      // Whoever went on writing meanwhile is left alone.
      if (ask.form()?.nodes !== empty) return;
      put([...(found.nodes ?? [found.said]), found.cut && ["p", {}, "The rest is not shown."]]);
    });
  };
  const tabs = f.find && [tab("Write", !nodes, () => put(null)), tab("Preview", Boolean(nodes), preview)];
  return field(f, name, "Description", tabs, nodes ? markdown(nodes) : area);
}

function drawAsked(f) {
  const name = "reviewers";
  const { ask, find, reviewers } = f;
  const put = (to, more) => {
    if (f.isBusy) return;
    ask.edit({ reviewers: to, ...more });
    ask.focus(name);
  };
  const add = (options, more) => {
    const all = new Map(reviewers.map((one) => [one.name, one]));
    for (const { value, words, people } of options)
      for (const one of people ?? [{ name: value, display_name: words }])
        if (!all.has(one.name)) all.set(one.name, one);
    put([...all.values()], more);
  };
  const chip = (one) =>
    el(
      "li",
      { class: "chip" },
      avatar(one),
      personName(one),
      one.unknown && el("span", { class: "quiet" }, "(not found)"),
      button("×", () => put(reviewers.filter((other) => other !== one)), {
        quiet: true,
        focus: `remove ${one.name}`,
        label: `Remove ${nameOf(one)}`,
      }),
    );
  const defaults = () =>
    find("default_reviewers")("").then((found) => add(found.options ?? []));
  return field(
    f,
    name,
    "Reviewers",
    find && button("Add default reviewers", defaults, { quiet: true, focus: "defaults" }),
    reviewers.length > 0 && el("ul", { class: "chips" }, reviewers.map(chip)),
    combobox(
      attributesOf(f, name),
      "",
      find && find(name),
      (option) => add([option], { typed: "" }),
      (typed) => ask.edit({ typed }),
      ask.form()?.typed,
    ),
  );
}

// ---- submitting ----

function drawSubmit(f) {
  const { ask, view, isBusy, isReading, rest, facts } = f;
  const { stop, open, draft } = facts;
  const wait = isBusy || isReading;
  const notice = (tone, ...words) =>
    el("p", { class: `notice tone-${tone}` }, icon("warning"), el("span", { dir: "auto" }, words));
  const here = () => isBusy || ask.open(cardOf(facts, open.id));
  const create = (words, isDraft) =>
    button(words, () => wait || submit(f, isDraft), {
      focus: words,
      main: isDraft === (draft === true),
      busy: wait,
      disabled: Boolean(stop) || !view.may(createPullRequest.name),
    });
  const cancel = () => {
    if (isBusy) return;
    ask.edit({ over: "Cancelled. Nothing was created." }, true);
    ask.focus("over");
  };
  return [
    rest.map((words) => notice("danger", words)),
    stop &&
      notice(
        "warning",
        stop,
        open && [" ", link(open.address, {}, `#${open.id} ${open.title}`)],
        open && view.opens("pull_request") && button("Show it here", here, { focus: "open" }),
      ),
    isBusy && nothing("Creating it. The chat may ask you to allow it."),
    isReading && nothing("Looking at what is in Bitbucket…"),
    rest.length > 0 && !wait && !open && !f.said && nothing("No pull request is open between the two."),
    el(
      "div",
      { class: "actions" },
      create("Create", false),
      draft !== undefined && create("Create as draft", true),
      button("Cancel", cancel, { focus: "cancel", quiet: true, busy: isBusy }),
    ),
  ];
}

function submit(f, draft) {
  const { ask, view, pair, facts } = f;
  // What was typed since this was drawn.
  const { title, description, reviewers, typed } = { ...f, ...ask.form() };
  // A name that was typed and not picked is one all the same.
  const one = typed?.trim();
  const isNew = one && !reviewers.some(({ name }) => name === one);
  const all = isNew ? [...reviewers, { name: one, display_name: one }] : reviewers;
  if (one) ask.edit({ typed: "", reviewers: all });
  const names = all.map(({ name }) => name);
  f.desk.act({
    place: "submit",
    tool: createPullRequest.name,
    args: { ...facts.repository, ...pair, title, description, reviewers: names, draft },
    after({ done, id, url, words, errors }) {
      const over = `Pull request #${id} was created.`;
      if (done && id && view.opens("pull_request")) ask.become(cardOf(facts, id), `${over} ${url}`);
      else if (done && id) ask.edit({ over, url }, true);
      else {
        // It may have been created all the same: that is looked for before it is offered again.
        f.choose(pair);
        ask.say(words);
        ask.focus(FIELDS.get(errors[0]?.field));
      }
    },
  });
}

const cardOf = ({ repository }, id) => ({ kind: "pull_request", ...repository, id });

function drawOver({ over, url, ask }) {
  const again = () => ask.edit({ over: null }, true);
  return url ? link(url, {}, over) : [nothing(over), button("Go on with it", again, { focus: "over" })];
}

// ---- what the person decides by ----

function drawPair({ facts, isReading, said, view }) {
  if (isReading) return nothing("Reading what the branches differ in…");
  if (said) return unread(said);
  const { commits, files, merges, notes } = facts;
  const { listed = [], count } = commits;
  const most = view.mode === "fullscreen" ? 1e3 : COMMITS_AT_FIRST * (1 + (view.grown.commits ?? 0));
  const shown = listed.slice(0, most);
  const about = [
    !files.unread && counted(files, "changed file"),
    { clean: "merges cleanly", conflicts: "has conflicts" }[merges],
  ];
  return [
    count &&
      section(
        "commits",
        counted(count, "commit"),
        about.filter(Boolean).join(", "),
        el(
          "ul",
          { class: "rows" },
          shown.map((one) => row(el("code", {}, one.id.slice(0, 7)), one.subject, null, one.author)),
        ),
        listFoot({
          shown: shown.length,
          carried: listed.length,
          count,
          many: "commits",
          name: "commits",
          ask: view.ask,
        }),
      ),
    [commits.unread ?? files.unread, ...notes].filter(Boolean).map(unread),
    nothing("What you write is kept until this view closes."),
  ];
}
