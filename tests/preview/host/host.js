// The preview's page: a chat with one answer in it, framed as a host frames a view.
//
// The only file that runs on load. What is chosen stands in the address, so that a reload shows the same.
// Start at start().

import { BEHAVIOURS, connectView } from "/bridge.js";
import { choices, make, measured, note, sampleButton, selection } from "/panel.js";

/** Of the arguments of a call so many characters are shown. */
const SHOWN_CHARS = 300;
const WIDTHS = { 380: "380", 720: "720", 1100: "1100" };
const one = (selector) => document.querySelector(selector);

const state = {
  kind: "",
  sample: 0,
  theme: matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light",
  width: 720,
  mode: "inline",
  host: "all",
};

/** What the server offers, and the view on screen. */
let offered = { kinds: [], moves: [] };
let view = null;
let turn = 0;

const controls = {
  theme: choices("Theme", { light: "Light", dark: "Dark" }, (theme) => reframe({ theme })),
  width: choices("Width", WIDTHS, (width) => reframe({ width: Number(width) })),
  mode: choices("Display", { inline: "Inline", fullscreen: "Fullscreen" }, (mode) =>
    reframe({ mode }),
  ),
  host: selection(
    "A host that",
    Object.fromEntries(Object.entries(BEHAVIOURS).map(([name, { words }]) => [name, words])),
    (host) => show({ host }),
  ),
};

start();

async function start() {
  one(".controls").append(...Object.values(controls).map(({ node }) => node));
  one(".leave").onclick = () => reframe({ mode: "inline" });
  addEventListener("keydown", (event) => {
    if (event.key === "Escape" && state.mode === "fullscreen") reframe({ mode: "inline" });
  });
  addEventListener("resize", () => view?.context({ containerDimensions: dimensions() }));
  offered = await asked("/choices");
  for (const kind of offered.kinds) {
    one(".side").append(
      make("h2", {}, kind.name),
      ...kind.samples.map((sample, at) =>
        sampleButton(sample, kind.server, () => show({ kind: kind.name, sample: at })),
      ),
    );
  }
  one(".moves").append(
    ...offered.moves.map(({ name, words }) =>
      make("button", { type: "button", onclick: () => move(name, words) }, words),
    ),
  );
  const chosen = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
  show({ kind: offered.kinds[0].name, ...chosen });
}

// ---- what is chosen ----

function choose(changes) {
  Object.assign(state, changes);
  state.width = WIDTHS[state.width] ? Number(state.width) : 720;
  state.sample = Number(state.sample) || 0;
  if (!BEHAVIOURS[state.host]) state.host = "all";
  history.replaceState(null, "", `#${new URLSearchParams(state)}`);
  for (const [name, control] of Object.entries(controls)) control.show(state[name]);
  document.documentElement.dataset.theme = state.theme;
  document.documentElement.dataset.width = state.width;
  const card = one(".card");
  card.classList.toggle("is-full", state.mode === "fullscreen");
  card.style.width = `${state.width + 2}px`;
  one(".chat").style.width = `${state.width + 2}px`;
}

/** The kind of view that is chosen, or the team's manifest. */
function kind() {
  return offered.kinds.find(({ name }) => name === state.kind) ?? offered.kinds[0];
}

/** What of it is chosen. */
function sample() {
  return kind().samples[state.sample] ?? kind().samples[0];
}

function dimensions() {
  return state.mode === "fullscreen"
    ? { width: innerWidth, height: one(".card-frame").clientHeight }
    : { width: state.width };
}

function context() {
  return {
    theme: state.theme,
    displayMode: state.mode,
    availableDisplayModes: ["inline", "fullscreen"],
    containerDimensions: dimensions(),
    locale: navigator.language,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    platform: "web",
  };
}

/** Another theme, width or mode, for the view that is on screen. */
function reframe(changes) {
  choose(changes);
  view?.context(context());
}

// ---- one view ----

/** Frames a view anew: the tool is called, and the page loads meanwhile. */
async function show(changes) {
  choose(changes);
  turn += 1;
  const mine = turn;
  const left = view;
  view = null;
  await left?.teardown();
  if (mine !== turn) return;
  const { tool, server } = kind();
  const wanted = sample().arguments;
  draw(tool, wanted);
  const result = call({ name: tool, arguments: wanted }, server);
  const frame = make("iframe", { title: "The view", height: 150 });
  frame.setAttribute("sandbox", "allow-scripts");
  const { src, ...behaviour } = BEHAVIOURS[state.host];
  const framed = { ...behaviour, src: server ? `${src}/${server}` : src };
  const opened = connectView(frame, framed, context, {
    callTool: (params) => call(params, server, "← ").then(({ result: answer }) => answer),
    readResource: (params) => ask("resources/read", params, server).then(({ result: answer }) => answer),
    openLink,
    modelContext: (text) => one(".context").replaceChildren(text),
    displayMode(mode) {
      reframe({ mode });
      return mode;
    },
    size: (height) => (frame.style.height = `${height}px`),
    async ready() {
      opened.input(wanted);
      const told = await result.catch(() => null);
      if (mine !== turn || !told) return;
      opened.result(told.result);
    },
    seen: (way, method) => {
      if (method !== "tools/call") note(one(".wire ol"), `${way === "view" ? "←" : "→"} ${method}`);
    },
  });
  view = opened;
  one(".card-frame").replaceChildren(frame);
  const told = await result.catch(() => null);
  if (mine !== turn || !told) return;
  const text = told.result.content.map((block) => block.text).join("\n");
  one(".reads p").replaceChildren(text);
  one(".called").append(` — ${measured(told)}`);
}

/** What stands around the frame before anything has come. */
function draw(tool, wanted) {
  for (const one of document.querySelectorAll(".sample")) one.ariaCurrent = "false";
  const before = offered.kinds.slice(0, offered.kinds.indexOf(kind()));
  const index = before.reduce((sum, { samples }) => sum + samples.length, 0) + state.sample;
  const current = document.querySelectorAll(".sample")[index];
  if (current) current.ariaCurrent = "true";
  const { project, repo, id } = wanted;
  const at = [project, repo].filter(Boolean).join("/");
  const place = [at, id && `#${id}`].filter(Boolean).join(" ");
  const words = place || (wanted.kind ?? sample().title).replaceAll("_", " ");
  one(".asked").replaceChildren(`Show me ${words}.`);
  const told = JSON.stringify(wanted);
  const said = told.length > SHOWN_CHARS ? `${told.slice(0, SHOWN_CHARS)}…` : told;
  one(".called").replaceChildren(`Called ${tool} `, make("code", {}, said));
  one(".card-name").replaceChildren(place);
  one(".reads p").replaceChildren("…");
  one(".context").replaceChildren("Nothing yet: it speaks when something has changed.");
  one(".links").hidden = true;
  one(".links ul").replaceChildren();
  one(".wire ol").replaceChildren();
  one(".moved").replaceChildren();
  for (const button of document.querySelectorAll(".moves button")) button.disabled = !id;
}

function openLink(url) {
  one(".links").hidden = false;
  one(".links ul").prepend(make("li", {}, url));
}

// ---- asking the server ----

/** A tool call, of the host or of the view, with a line beside the view. */
async function call(params, server, from = "") {
  const told = await ask("tools/call", params, server);
  const drawing = told.result?._meta?.["bb/view"];
  const more = drawing?.unchanged ? "nothing has changed" : "";
  note(one(".wire ol"), `${from}${params.name}`, measured(told), more);
  return told;
}

/** Hands one question to bb, or to the server of a team's manifest. */
async function ask(method, params, server) {
  const told = await asked("/mcp", { method, params, server });
  if (told.error) throw Object.assign(new Error(told.error.message), { code: told.error.code });
  return told;
}

async function move(name, words) {
  const said = one(".moved");
  try {
    await asked("/move", { move: name, on: sample().arguments });
    said.replaceChildren(`${words}: done. The view asks by itself, or press “Read again” in it.`);
  } catch (error) {
    said.replaceChildren(`${words}: ${error.message}.`);
  }
}

/** Asks the preview; a problem is thrown, and one that ends it all stays on screen. */
async function asked(path, body) {
  let response;
  try {
    response = await fetch(
      path,
      body && { method: "POST", body: JSON.stringify(body), headers: { "content-type": "application/json" } },
    );
  } catch {
    gone("The preview has ended. Start it again: cargo run --example preview");
    throw new Error("the preview has ended");
  }
  const told = await response.json();
  if (response.ok) return told;
  if (response.status === 502) gone(`${told.problem}. Start the preview again.`);
  throw new Error(told.problem);
}

function gone(words) {
  one(".gone").hidden = false;
  one(".gone").replaceChildren(words);
}
