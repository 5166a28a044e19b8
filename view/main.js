// Joins the parts: what came is drawn, what is old is asked for again, what the person does goes to the host.
//
// The only file that runs on load. Its whole state is one object. Start at `listener`.

import { el, spelled, webAddress } from "./el.js";
import { freshenTimes, timeElement } from "./time.js";
import { addressToCopy, button, shortened } from "./parts.js";
import { focusKey, forget, redraw } from "./regions.js";
import { paintAvatars, settleClips } from "./paint.js";
import { drawStage } from "./states.js";
import { pullRequest } from "./kinds/pull_request.js";
import { pullRequests } from "./kinds/pull_requests.js";
import { commits } from "./kinds/commits.js";
import { builds } from "./kinds/builds.js";
import { applyTheme, connectHost } from "./host.js";
import { newPoller } from "./poller.js";
import { newTrail } from "./trail.js";

/**
 * What a view draws, as bb sends it under `_meta["bb/view"]`.
 * @typedef {{format: number, kind: string, show: Object, fingerprint: string, read_at: string,
 *   motion: "moving" | "quiet" | "still", offers: {kinds: string[], tools: string[]}, facts: Object,
 *   dressing?: {avatars?: Object<string, {type: string, base64: string}>}}} Drawing
 * A refusal may carry `{format, retry_after_ms}`; an answer that nothing changed `{format, unchanged: true, read_at, motion}`.
 */

const FORMAT = 1;
const META = "bb/view";
const WAIT_MS = 10_000;
const TELL_MODEL_MS = 10_000;
const MODEL_SIGNS = 1_000;
const AGES_MS = 30_000;
const KINDS = new Map(
  [pullRequest, pullRequests, commits, builds].map((kind) => [kind.name, kind]),
);

const life = new AbortController();
const main = document.querySelector("main");
const statusLine = document.querySelector(".status-line");
const dark = matchMedia("(prefers-color-scheme: dark)");

/** `stage`: waiting, drawn, or one of the pages that stand where no drawing is. */
const state = {
  stage: "waiting",
  said: "",
  show: null,
  drawing: null,
  grown: {},
  asking: false,
  turn: 0,
  laddered: false,
  notice: "",
  modeAsked: false,
  changes: [],
  trail: newTrail(),
};

const timers = new Set();
const later = (run, ms) => {
  if (life.signal.aborted) return null;
  const timer = setTimeout(() => {
    timers.delete(timer);
    run();
  }, ms);
  timers.add(timer);
  return timer;
};
const never = (timer) => {
  timers.delete(timer);
  clearTimeout(timer);
};

const poller = newPoller({
  now: () => Date.now(),
  set: later,
  clear: never,
  ask: () => read("poll"),
});

const listener = {
  toolInput(args) {
    if (state.show === null && typeof args.kind === "string") state.show = args;
    if (state.stage !== "drawn") drawAll();
  },
  toolResult(result) {
    const payload = payloadOf(result);
    if (payload?.facts) {
      if (state.drawing && Date.parse(payload.read_at) < Date.parse(state.drawing.read_at)) return;
      take(payload);
      return;
    }
    if (result.isError === true) {
      fail(textOf(result));
      return;
    }
    if (state.drawing) return;
    state.said = textOf(result);
    if (isForeign(payload)) {
      stand("format");
      return;
    }
    if (state.laddered || !canRead()) stand("none");
    else {
      // Some hosts hand on the text of a result alone. The data comes whole when the view asks itself.
      state.laddered = true;
      stand("reading");
      read("ladder");
      later(() => {
        if (state.stage === "reading") stand("none");
      }, WAIT_MS);
    }
  },
  toolCancelled() {
    if (!state.drawing) stand("cancelled");
  },
  contextChanged() {
    applyTheme(document.documentElement, host.context(), dark.matches);
    drawAll();
  },
  teardown() {
    poller.stop();
    for (const timer of timers) clearTimeout(timer);
    timers.clear();
    resized.disconnect();
    seen.disconnect();
  },
};

let sizeTold = "";
let sizeDue = false;
const resized = new ResizeObserver(() => tellSizeSoon());
const seen = new IntersectionObserver((entries) => {
  onScreen = entries[entries.length - 1].isIntersecting;
  tellSeen();
});
let onScreen = true;

const host = connectHost(window, life, listener);
applyTheme(document.documentElement, host.context(), dark.matches);
drawAll();
later(() => {
  if (state.stage === "waiting") stand("none");
}, WAIT_MS);
resized.observe(document.body);
resized.observe(main);
seen.observe(main);
dark.addEventListener(
  "change",
  () => applyTheme(document.documentElement, host.context(), dark.matches),
  { signal: life.signal },
);
document.addEventListener("visibilitychange", tellSeen, { signal: life.signal });
document.addEventListener("click", pressed, { signal: life.signal });
document.addEventListener("auxclick", (event) => linkOf(event) && event.preventDefault(), {
  signal: life.signal,
});
document.addEventListener(
  "keydown",
  (event) => {
    if (event.key === "Escape" && state.trail.length() > 0) goBack();
  },
  { signal: life.signal },
);
keepAges();

/** What a kind may ask for. */
const ask = {
  grow(name) {
    state.grown = { ...state.grown, [name]: (state.grown[name] ?? 0) + 1 };
    drawAll();
  },
  open(show) {
    openInPlace(show);
  },
  /** The same list asked for longer, which is no step of the trail. */
  longer(show, name) {
    state.show = show;
    ask.grow(name);
    read("pressed");
  },
  mode() {
    const wanted = modeNow() === "fullscreen" ? "inline" : "fullscreen";
    if (state.modeAsked) return;
    state.modeAsked = true;
    host.requestMode(wanted).then(() => {
      state.modeAsked = false;
    });
  },
};

// ---- what came ----

function payloadOf(result) {
  const payload = result?._meta?.[META];
  if (typeof payload !== "object" || payload === null) return null;
  return payload.format === FORMAT && KINDS.has(payload.kind)
    ? payload
    : { ...payload, facts: null };
}

// A host may hold a page of another version than the bb that answers it.
function isForeign(payload) {
  return (
    payload !== null &&
    (payload.format !== FORMAT || (payload.kind !== undefined && !KINDS.has(payload.kind)))
  );
}

function textOf(result) {
  const blocks = Array.isArray(result?.content) ? result.content : [];
  const texts = blocks
    .filter((block) => block?.type === "text" && typeof block.text === "string")
    .map((block) => block.text);
  return shortened(texts.join(" "), 1_500);
}

function take(drawing) {
  const before = state.drawing;
  const wasDrawn = state.stage === "drawn";
  state.drawing = drawing;
  state.show = drawing.show ?? state.show;
  state.notice = "";
  state.stage = "drawn";
  if (!drawAll()) {
    state.drawing = before;
    state.stage = wasDrawn ? "drawn" : "unreadable";
    if (wasDrawn) state.notice = "The last answer could not be drawn.";
    drawAll();
    poller.failed();
    return;
  }
  poller.drawn({ motion: drawing.motion, age_ms: Date.now() - Date.parse(drawing.read_at) || 0 });
  if (!before && state.trail.length() > 0) {
    say(`Opened: ${shortened(KINDS.get(drawing.kind).title(drawing.facts), 200)}`);
    tellModelSoon();
  }
  // A host may hand another view into the same frame: that is no change of this one.
  if (before?.kind !== drawing.kind) state.changes = [];
  else if (wasDrawn && before.fingerprint !== drawing.fingerprint) tellChanges(before, drawing);
}

function fail(words) {
  if (state.drawing) {
    const notice = `The last read failed${words ? `: ${words}` : "."}`;
    if (notice !== state.notice) say(notice);
    state.notice = notice;
    drawAll();
    return;
  }
  state.said = words;
  stand("failed");
}

function stand(stage) {
  state.stage = stage;
  drawAll();
}

// ---- asking ----

function canRead() {
  return host.can("serverTools") && state.show !== null;
}

/** Asks for the view anew. `why`: poll (said to nobody unless it changed), pressed, ladder. */
function read(why) {
  if (state.asking) return;
  if (!canRead()) {
    // The handshake may be answered later still; nothing is sent until then.
    pollLater();
    return;
  }
  state.asking = true;
  if (why === "pressed") drawAll();
  const { show, turn } = state;
  const fingerprint = state.drawing?.fingerprint;
  host.callTool("refresh_view", fingerprint ? { show, fingerprint } : { show }).then(
    (result) => turn === state.turn && answeredRead(why, result),
    (error) => {
      if (turn !== state.turn) return;
      state.asking = false;
      if (why !== "poll") fail(error.message);
      pollLater();
    },
  );
}

function answeredRead(why, result) {
  state.asking = false;
  const payload = payloadOf(result);
  if (payload?.unchanged === true && state.drawing) {
    state.drawing = { ...state.drawing, read_at: payload.read_at, motion: payload.motion };
    state.notice = "";
    poller.unchanged(payload.motion);
    drawAll();
    if (why === "pressed") say("Nothing has changed.");
    return;
  }
  if (payload?.facts && result.isError !== true) {
    take(payload);
    if (why === "pressed") say("Read again.");
    return;
  }
  pollLater(payload?.retry_after_ms);
  if (isForeign(payload) && !state.drawing) stand("format");
  else fail(textOf(result));
}

// Only what is drawn is kept current: a view without data asks once, and then when the person does.
function pollLater(wait_ms) {
  if (state.drawing) poller.failed(wait_ms);
}

function openInPlace(show) {
  if (!host.can("serverTools")) return;
  const { show: left, drawing, grown, changes } = state;
  state.trail.leave({ show: left, drawing, grown, changes, focus: focused(), scrolled: scrollY });
  turnTo({ show, drawing: null, grown: {}, changes: [], stage: "reading", laddered: true });
  drawAll();
  // What was pressed is gone; the way back takes the focus, and keeps it once the view stands.
  focusKey(main, "back");
  scrollTo(0, 0);
  read("ladder");
}

function goBack() {
  const stop = state.trail.back();
  if (!stop) return;
  turnTo({
    show: stop.show,
    drawing: stop.drawing,
    grown: stop.grown,
    changes: stop.changes,
    stage: "drawn",
  });
  drawAll();
  focusKey(main, stop.focus);
  scrollTo(0, stop.scrolled);
  tellModelSoon();
  poller.drawn({
    motion: stop.drawing.motion,
    age_ms: Date.now() - Date.parse(stop.drawing.read_at) || 0,
  });
}

// An answer to what another view asked is nobody's any more.
function turnTo(view) {
  Object.assign(state, view, { said: "", notice: "", asking: false, turn: state.turn + 1 });
}

function focused() {
  return document.activeElement?.getAttribute("data-focus") ?? null;
}

// ---- telling the model and the person ----

let toldModelAt = -Infinity;
let tellingModel = false;

function tellChanges(before, after) {
  const kind = KINDS.get(after.kind);
  const said = kind.changes(before.facts, after.facts);
  state.changes = [...said, ...state.changes].slice(0, 40);
  say(said[0]);
  tellModelSoon();
}

function tellModelSoon() {
  if (!host.can("updateModelContext") || tellingModel) return;
  tellingModel = true;
  later(
    () => {
      tellingModel = false;
      toldModelAt = Date.now();
      if (state.drawing) host.tellModel(modelText());
    },
    Math.max(0, toldModelAt + TELL_MODEL_MS - Date.now()),
  );
}

// The whole each time, for a host keeps the last one only.
function modelText() {
  let text = KINDS.get(state.drawing.kind).describe(state.drawing.facts);
  text = shortened(`${text} Read ${state.drawing.read_at}.`, MODEL_SIGNS);
  if (state.changes.length > 0) text += " Changes since it was shown, newest first:";
  for (const change of state.changes) {
    if ([...text].length + change.length + 1 > MODEL_SIGNS) break;
    text += ` ${change}`;
  }
  return shortened(text, MODEL_SIGNS);
}

function say(words) {
  statusLine.textContent = words;
}

// ---- drawing ----

function modeNow() {
  return host.context().displayMode === "fullscreen" ? "fullscreen" : "inline";
}

function viewOf() {
  const context = host.context();
  const modes = Array.isArray(context.availableDisplayModes) ? context.availableDisplayModes : [];
  return {
    clock: clock(),
    mode: modeNow(),
    modes,
    grown: state.grown,
    offers: state.drawing?.offers ?? {},
    canOpen: (kind) =>
      canRead() && KINDS.has(kind) && (state.drawing?.offers?.kinds ?? []).includes(kind),
    ask,
  };
}

function clock() {
  const context = host.context();
  return { now: Date.now(), locale: context.locale, zone: context.timeZone };
}

/** Draws the state as it is. Says whether it could. */
function drawAll() {
  if (life.signal.aborted) return true;
  document.documentElement.dataset.mode = modeNow();
  if (state.stage !== "drawn") {
    redraw(main, "state", [
      {
        name: "state",
        slot: "state",
        of: [state.stage, state.said, canRead(), state.asking, state.trail.length()],
        draw: drawState,
      },
    ]);
    tellSizeSoon();
    return true;
  }
  const kind = KINDS.get(state.drawing.kind);
  const view = viewOf();
  const held = focused();
  try {
    const regions = kind
      .regions(state.drawing, view)
      .map((region) => ({
        ...region,
        of: [region.of, view.mode, view.modes, view.clock.locale, view.clock.zone],
      }));
    redraw(
      main,
      kind.shape,
      [trailRegion(), ...regions, footRegion()].filter((region) => region !== null),
    );
  } catch (error) {
    forget(main);
    console.error(error);
    return false;
  }
  document.title = spelled(kind.title(state.drawing.facts));
  paintAvatars(main, state.drawing.dressing?.avatars ?? {}, life.signal);
  settleClips(main);
  if (held && document.activeElement === document.body) focusKey(main, held);
  tellSizeSoon();
  return true;
}

function trailRegion() {
  if (state.trail.length() === 0) return null;
  return { name: "trail", slot: "head", of: state.trail.length(), draw: backButton };
}

function footRegion() {
  const { read_at } = state.drawing;
  const isOffered = canRead();
  return {
    name: "foot",
    slot: "foot",
    of: [read_at, isOffered, state.asking, state.notice],
    draw: () =>
      el(
        "footer",
        { class: "foot" },
        state.notice
          ? el("p", { class: "notice tone-warning" }, el("span", { dir: "auto" }, state.notice))
          : null,
        el(
          "span",
          { class: "quiet" },
          "Read ",
          timeElement(read_at, clock()) ?? "at a time unknown",
        ),
        isOffered
          ? button(state.asking ? "Reading…" : "Read again", () => read("pressed"), {
              icon: "again",
              focus: "again",
              quiet: true,
            })
          : null,
      ),
  };
}

function drawState() {
  return drawStage({
    stage: state.stage,
    said: state.said,
    noun: KINDS.get(state.show?.kind)?.noun ?? "view",
    format: FORMAT,
    canRead: canRead(),
    again: button(state.asking ? "Reading…" : "Read it again", readFromState, {
      icon: "again",
      focus: "again",
    }),
    back: backButton(),
  });
}

function backButton() {
  return state.trail.length() > 0
    ? button("Back", goBack, { icon: "back", focus: "back", quiet: true })
    : null;
}

function readFromState() {
  state.laddered = true;
  read("pressed");
}

// ---- links, size, screen, ages ----

function linkOf(event) {
  return event.target instanceof Element ? event.target.closest("a[href]") : null;
}

function pressed(event) {
  const link = linkOf(event);
  if (!link) return;
  event.preventDefault();
  const address = webAddress(link.getAttribute("href"));
  if (!address) return;
  // Beside a pressed link stands its address: a host may refuse, stay silent, or say yes and open nothing.
  for (const other of main.querySelectorAll(".address")) other.remove();
  const line = link.closest(".row");
  if (line) line.append(addressToCopy(address));
  else
    (link.closest(".actions, .markdown p, .markdown li, .branches") ?? link).after(
      addressToCopy(address),
    );
  tellSizeSoon();
  host.openLink(address);
}

function tellSizeSoon() {
  if (sizeDue || life.signal.aborted) return;
  sizeDue = true;
  const tell = () => {
    if (!sizeDue || life.signal.aborted) return;
    sizeDue = false;
    const height = Math.ceil(document.documentElement.getBoundingClientRect().height);
    const told = `${innerWidth} ${height}`;
    if (told === sizeTold || height === 0) return;
    sizeTold = told;
    host.tellSize(innerWidth, height);
  };
  // A frame that the host still hides has no animation frames; the timer tells its size all the same.
  requestAnimationFrame(tell);
  later(tell, 100);
}

function tellSeen() {
  poller.seen(onScreen && document.visibilityState !== "hidden");
}

function keepAges() {
  later(() => {
    if (document.visibilityState !== "hidden") freshenTimes(main, clock());
    keepAges();
  }, AGES_MS);
}
