// Hostile strings in every text of every kind: nothing runs, nothing is made that bb does not make, nothing leaves.
//
// Every string of a drawing is replaced, each by each. Start at replaced().

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  drawing,
  drawingKinds,
  drawingNames,
  initialized,
  openBrowser,
  openFrame,
  resultWith,
  until,
} from "./support.mjs";

const NOW = Date.parse("2026-11-30T09:46:00Z");
const RUN = "parent.postMessage({ran:1},'*')";
// Elements, and what closes the ones around them.
const ELEMENTS_IN_TEXT = [
  `<script>${RUN}</script></script><script>${RUN}</script><img src=x onerror=${RUN}>`,
  `"><svg onload=${RUN}><animate onbegin=${RUN} attributeName=x dur=1s>`,
  `<iframe srcdoc="<script>${RUN}</script>"></iframe>`,
  `<form action=https://evil.example><input name=a><button formaction=javascript:${RUN}>go</button></form>`,
  `<base href=https://evil.example/><meta http-equiv=refresh content="0;url=https://evil.example">`,
  `<style>@import 'https://evil.example/a.css';body{background:url(https://evil.example/a)}</style>`,
  `<link rel=stylesheet href=https://evil.example/a.css><object data=https://evil.example></object>`,
  `<math><mtext><table><mglyph><style><!--</style><img title="--><img src onerror=${RUN}>">`,
  `--><![CDATA[<img src=x onerror=${RUN}>]]><?xml version="1.0"?><!DOCTYPE html>`,
  `</textarea></title></style></details></main><h1>another</h1>`,
];
const ATTRIBUTES_IN_TEXT = [
  `" onmouseover="${RUN}" autofocus onfocus="${RUN}" x="`,
  `' style='background:url(https://evil.example/b)' class='x`,
  'x" aria-label="Approved" role="alert',
];
const TEMPLATES = [
  "&lt;img src=x onerror=alert(1)&gt; &#x3c;script&#x3e; &#0; &copy",
  `{{constructor.constructor("${RUN}")()}} \${${RUN}} <%= 1 %> #{1} [[1]] {%raw%}`,
  "[x](javascript:alert(1)) ![x](https://evil.example/p.png) <https://evil.example> **b** `c`",
];
// Signs that cannot be seen, that reorder, that are no text.
const SIGNS = [
  "\u0000\u0001\u0007\u0008\u000b\u001b[31m\u007f\u0085\u009b",
  "a\u202eb\u202dc\u2066d\u2067e\u2068f\u2069g\u202ah\u202bi\u202cj",
  "\u200b\u200c\u200d\u2060\ufeff\u00ad\u180e\u061c\u200e\u200f",
  "\u2028x\u2029y\u{e0041}\u{e007f}\u3164\uffa0\u115f",
  "\ud800 \udfff \udc00\ud800",
  "\n\r\n\r\t\n",
];
const LONG = `${"x".repeat(2_000)}${"a\u0300\u0301\u0302\u0303".repeat(40)}${"\u{1f469}\u200d\u{1f680}".repeat(50)}`;
const TEXTS = [
  ELEMENTS_IN_TEXT.join(""),
  ATTRIBUTES_IN_TEXT.join(" "),
  TEMPLATES.join(" "),
  SIGNS.join("x"),
  LONG,
  "",
  // Names that objects have by themselves, and what is no time and no number.
  "__proto__",
  "constructor",
  "2026-99-99T99:99:99Z",
];
const ADDRESSES = [
  `javascript:${RUN}`,
  `JaVa\tScRiPt:${RUN}`,
  `\u0001javascript:${RUN}`,
  `java\nscript:${RUN}`,
  `data:text/html,<script>${RUN}</script>`,
  "vbscript:msgbox(1)",
  "file:///etc/passwd",
  "blob:https://evil.example/1",
  "filesystem:https://evil.example/1",
  "about:srcdoc",
  "view-source:https://evil.example",
  "intent://x#Intent;scheme=https;end",
  "ftp://evil.example/x",
  "mailto:somebody@evil.example?subject=x",
  "//evil.example/x",
  "\\\\evil.example\\x",
  'https://user:secret@evil.example:1/"onclick="x#\u202egnp.exe',
  "https://",
  "http://[::1",
];
const HOSTILE = [...ELEMENTS_IN_TEXT, ...ATTRIBUTES_IN_TEXT, ...TEMPLATES, ...SIGNS, ...TEXTS, ...ADDRESSES];
// What bb makes, and the whole of it.
const ELEMENTS = new Set(
  "a bdi blockquote body br button canvas circle code dd del details div dl dt em footer h1 h2 h3 h4 h5 h6 header hr input label li main nav ol p path pre rect section span strong summary svg table tbody td textarea th thead time tr ul"
    .split(" "),
);
let browser;

before(async () => (browser = await openBrowser()));
after(() => browser.close());

/** The places of a value's strings, the same for all members of a list and all of a text in Markdown. */
function* places(value, path = []) {
  if (typeof value === "string") yield path.join(".");
  else if (Array.isArray(value)) for (const one of value) yield* places(one, path);
  else if (value !== null && typeof value === "object")
    for (const [key, one] of Object.entries(value))
      yield* places(one, [...path, /^\d+$/.test(key) ? "n" : key]);
}

/** The same with lists of a few: what a long one holds more of is drawn the same way. */
function shortened(view) {
  const few = (key, value) =>
    Array.isArray(value) && ["listed", "files", "lines", "reviewers"].includes(key)
      ? value.slice(0, 12)
      : value;
  return { ...view, facts: JSON.parse(JSON.stringify(view.facts, few)) };
}

/** Drawings of a kind that together have every such place that `counts`, few of them. */
function samples(kind, counts = () => true) {
  const all = drawingNames(kind).map((name) => shortened(drawing(kind, name)));
  const weighed = all.map((view) => [JSON.stringify(view.facts).length, view]);
  weighed.sort(([one], [other]) => other - one);
  const seen = new Set();
  const chosen = weighed.filter(([, { facts }]) => {
    const found = [...places(facts)].filter(counts);
    const isNew = found.some((place) => !seen.has(place));
    for (const place of found) seen.add(place);
    return isNew;
  });
  return chosen.map(([, view]) => view);
}

// What says how a thing is drawn rather than what it says. All of it is replaced by the second test.
const SHAPES = new Set(["of", "kind", "side", "why", "node", "state", "status", "task", "action"]);

/** A value with its strings replaced, `by` given each. A diff's line keeps its sign, a node of Markdown its name. */
function replaced(value, by, key = "", parent = "") {
  if (typeof value === "string") return by(value, key);
  if (Array.isArray(value)) {
    const isNode =
      (key === "nodes" || key === "text" || parent === "nodes") && typeof value[0] === "string";
    const isLines = key === "lines";
    return value.map((one, at) => {
      if (isNode && at === 0) return one;
      if (isLines && typeof one === "string") return `${one[0] ?? " "}${by(one, "line")}`;
      if (isLines && Array.isArray(one) && typeof one[0] === "string" && one.length === 2)
        return [`${one[0][0] ?? " "}${by(one[0], "line")}`, one[1]];
      if (isLines && Array.isArray(one)) return one.map((each, nth) => (nth === 3 ? by(each, "line") : each));
      return replaced(one, by, key === "nodes" || key === "text" || isNode ? "nodes" : key, key);
    });
  }
  if (value !== null && typeof value === "object")
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [name, replaced(one, by, name, key)]),
    );
  return value;
}

/** Runs in the view: looks at it each time it has drawn what came. */
function watch(elements) {
  const known = new Set(elements);
  // What the page's own document has, before anything came.
  const own = new Set(document.body.querySelectorAll("*"));
  window.seen = 0;
  window.found = [];
  addEventListener("message", ({ data }) => {
    if (data?.method !== "ui/notifications/tool-result") return;
    window.seen += 1;
    const say = (what) => window.found.push(`${window.seen}: ${what}`.slice(0, 300));
    for (const node of document.body.querySelectorAll("*")) {
      if (node.localName === "script") continue;
      if (!known.has(node.localName) && !own.has(node)) say(`an element ${node.localName}`);
      for (const { name, value } of node.attributes) {
        // How many lines of a text are shown is the view's own.
        if (name === "style" && /^--clip-lines: \d+;( max-height: \d+px;)?$/.test(value)) continue;
        if (/^on|^(src|srcdoc|srcset|style|action|formaction|ping|target|download|name)$|:/.test(name) && name !== "xmlns")
          say(`an attribute ${name}=${value}`);
        if (name === "href" && !/^https?:\/\/[^/]/.test(value)) say(`a link to ${value}`);
        if (/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u202a-\u202e\u2060-\u2069\ufeff]/.test(value))
          say(`a raw sign in ${name}`);
      }
    }
    const scripts = document.body.querySelectorAll("script").length;
    if (scripts !== 1) say(`${scripts} scripts`);
    if (document.querySelectorAll("h1").length !== 1) say("no one h1");
    const text = `${document.querySelector("main").textContent} ${document.title}`;
    if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200b\u202a-\u202e\u2060-\u2069\ufeff]/.test(text)) say("a raw sign");
    if (/could not be drawn/.test(text)) say("not drawn");
    if (document.documentElement.scrollWidth > document.documentElement.clientWidth)
      say(`wider than the frame: ${document.documentElement.scrollWidth}`);
  });
}

async function tryAll(kind, displayMode, variants) {
  const host = await openFrame(browser.context, {
    width: displayMode === "fullscreen" ? 1200 : 720,
    initialize: initialized({
      displayMode,
      availableDisplayModes: ["inline", "fullscreen"],
      capabilities: { openLinks: {}, serverTools: {} },
    }),
  });
  const left = [];
  const note = (request) => {
    if (!/^(data|blob):/.test(request.url())) left.push(request.url());
  };
  host.page.on("request", note);
  host.page.on("dialog", (dialog) => {
    left.push(`a dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  host.page.on("popup", () => left.push("a window"));
  await host.page.evaluate(() => {
    window.ran = 0;
    addEventListener("message", ({ data }) => (window.ran += data?.ran ?? 0));
  });
  await host.frame.evaluate(watch, [...ELEMENTS]);
  const results = variants.map((view, nth) =>
    resultWith({ ...view, read_at: new Date(NOW + nth * 1_000).toISOString() }),
  );
  await host.page.evaluate((all) => {
    for (const params of all)
      window.bbHost.send({ jsonrpc: "2.0", method: "ui/notifications/tool-result", params });
  }, results);
  await until(
    host,
    `${variants.length} drawings`,
    () => host.frame.evaluate((n) => window.seen === n, variants.length),
    60_000,
  );
  const found = await host.frame.evaluate(() => window.found);
  await host.log();
  assert.deepEqual(found.slice(0, 5), [], `${kind}, ${displayMode}`);
  assert.equal(await host.page.evaluate(() => window.ran), 0, "a script ran");
  assert.deepEqual(left, [], "something left the frame");
  assert.equal(host.frame.url(), "about:srcdoc");
  assert.equal(host.page.frames().length, 2);
  assert.deepEqual(host.errors, []);
  await host.close();
}

const isAddress = (place) => /(address|href)$/.test(place);
const withText = (view, text, isReplaced) => ({
  ...view,
  facts: replaced(view.facts, (was, key) => (isReplaced(key) ? text : was)),
});

for (const kind of drawingKinds()) {
  const variants = (given, views) =>
    given.flatMap((text) => views.map((view) => withText(view, text, (key) => !SHAPES.has(key))));
  test(`no hostile text of ${kind} does anything`, async () => {
    await tryAll(kind, "fullscreen", variants(TEXTS, samples(kind)));
    // Inline draws less of the same: what is new there is how little room a text has.
    await tryAll(kind, "inline", variants([TEXTS[0], LONG], samples(kind)));
  });
  test(`no address of ${kind} is a link but one for the web`, async () => {
    await tryAll(kind, "fullscreen", variants(ADDRESSES, samples(kind, isAddress)));
  });
}

test("a word that bb does not know yet is drawn as text, whatever it stands for", async () => {
  for (const kind of drawingKinds()) {
    const variants = ["", "<b>A_NEW_STATE</b>", "__proto__", "constructor"].flatMap((text) =>
      samples(kind).map((view) => withText(view, text, (key) => SHAPES.has(key) && key !== "of")),
    );
    await tryAll(kind, "fullscreen", variants);
  }
});

test("hostile words of a refusal are text", async () => {
  const host = await openFrame(browser.context, {
    initialize: initialized({ capabilities: { serverTools: {} } }),
  });
  await host.frame.evaluate(watch, [...ELEMENTS]);
  await host.notify("ui/notifications/tool-input", { arguments: { kind: "builds" } });
  for (const text of HOSTILE)
    await host.notify("ui/notifications/tool-result", {
      isError: true,
      content: [{ type: "text", text }],
    });
  await until(host, "the refusals", () =>
    host.frame.evaluate((n) => window.seen === n, HOSTILE.length),
  );
  assert.deepEqual(await host.frame.evaluate(() => window.found), []);
  await host.close();
});
