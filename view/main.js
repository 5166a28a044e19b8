// Joins the parts: what came is drawn, what is old is asked for again, what the person does goes to the host.
//
// The only file that runs on load. Its whole state is one object. Start at `listener`.

import { spelled } from "./el.js";
import { freshenTimes, nameTimes } from "./time.js";
import { shortened } from "./parts.js";
import { focusKey, forget, redraw } from "./regions.js";
import { isForeign, payloadOf, textOf } from "./result.js";
import { paintCode } from "./code.js";
import { growSome, paintAvatars, settleClips } from "./paint.js";
import { newSurround } from "./surround.js";
import { pullRequest } from "./kinds/pull_request.js";
import { pullRequests } from "./kinds/pull_requests.js";
import { diff } from "./kinds/diff.js";
import { commits } from "./kinds/commits.js";
import { builds } from "./kinds/builds.js";
import { createPullRequest } from "./kinds/create_pull_request.js";
import { applyTheme, connectHost } from "./host.js";
import { listenForLinks, newSizeTeller, newTimers } from "./frame.js";
import { newPoller } from "./poller.js";
import { MOST_CHANGES, modelText, newModelTeller } from "./telling.js";
import { newDesk } from "./desk.js";
import { newSuggester } from "./suggest.js";
import { settleSpots } from "./spots.js";
import { keyOfShow, newTrail } from "./trail.js";
import { newPartReader } from "./alone.js";

const WAIT_MS = 10_000;
const AGES_MS = 30_000;
const STEP_MS = 8;
const MOST_LATES = 3;
const KINDS = new Map(
  [pullRequest, pullRequests, diff, commits, builds, createPullRequest].map((kind) => [kind.name, kind]),
);

const life = new AbortController();
const main = document.querySelector("main");
const statusLine = document.querySelector(".status-line");
const dark = matchMedia("(prefers-color-scheme: dark)");

/**
 * `stage`: waiting, drawn, or one of the pages that stand where no drawing is. `grown`: how far each list has grown,
 * and what else the person set. `parts`: what was asked for alone, `{show, asking, said?, drawing?}` by name.
 * `lates`: how often it was asked for again for its colors alone. `offered`: a newer drawing that waits until the
 * person wants it. `asking`: why the view is being read, or nothing; `ticket`: of that reading, whose answer alone
 * counts. `turn`: grows with each view that takes the place of another.
 */
const state = {
  stage: "waiting",
  said: "",
  show: null,
  drawing: null,
  grown: {},
  parts: {},
  offered: null,
  asking: "",
  ticket: 0,
  turn: 0,
  lates: 0,
  laddered: false,
  notice: "",
  modeAsked: false,
  changes: [],
  trail: newTrail(),
};

const desks = new Map();
const { later, never, stop } = newTimers(life.signal);

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
    const payload = payloadOf(result, KINDS);
    if (payload?.facts) {
      const { drawing, trail } = state;
      // A host may hand another view into the same frame, whenever that was read.
      const isOther = drawing && keyOfShow(drawing.show) !== keyOfShow(payload.show);
      if (!isOther && Date.parse(payload.read_at) < Date.parse(drawing?.read_at)) return;
      if (trail.holds(payload)) return;
      if (isOther) {
        trail.turn();
        turnTo(newView());
      } else dropRead();
      take(payload);
      return;
    }
    // Without a drawing it can tell of nothing but what was shown first.
    if (state.trail.length() > 0) return;
    if (result.isError === true) {
      fail(textOf(result));
      return;
    }
    if (state.drawing) return;
    state.said = textOf(result);
    if (isForeign(payload, KINDS)) {
      stand("format");
      return;
    }
    if (state.laddered || !canRead()) stand("none");
    else {
      // Some hosts hand on the text of a result alone. The data comes whole when the view asks itself.
      state.laddered = true;
      stand("reading");
      read("ladder");
      const { turn } = state;
      later(() => {
        if (state.stage === "reading" && turn === state.turn) stand("none");
      }, WAIT_MS);
    }
  },
  toolCancelled() {
    if (!state.drawing) stand("cancelled");
  },
  contextChanged() {
    dress();
    drawAll();
  },
  teardown() {
    poller.stop();
    stop();
    resized.disconnect();
    seen.disconnect();
  },
};

const resized = new ResizeObserver(() => tellSizeSoon());
const seen = new IntersectionObserver((entries) => {
  onScreen = entries[entries.length - 1].isIntersecting;
  tellSeen();
});
let onScreen = true;

const host = connectHost(window, life, listener);
const tellSizeSoon = newSizeTeller(window, life.signal, later, host.tellSize);
const tellModelSoon = newModelTeller(later, () => host.can("updateModelContext"), tellModel);
const partReader = newPartReader(state, {
  canRead,
  call: host.callTool,
  kinds: KINDS,
  changed: drawAll,
});
const surround = newSurround(state, {
  canRead,
  clock,
  back: goBack,
  newer: () => take(state.offered),
  again: () => read("pressed"),
  retry: readFromState,
});
dress();
drawAll();
later(() => {
  if (state.stage === "waiting") stand("none");
}, WAIT_MS);
for (const node of [document.body, main]) resized.observe(node);
seen.observe(main);
dark.addEventListener("change", dress, { signal: life.signal });
document.addEventListener("visibilitychange", tellSeen, { signal: life.signal });
listenForLinks(main, life.signal, (address) => {
  tellSizeSoon();
  host.openLink(address);
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
  set(name, value) {
    state.grown = { ...state.grown, [name]: value };
    drawAll();
  },
  edit(change, isTold) {
    ask.set("form", { ...state.grown.form, ...change });
    if (isTold) tellModelSoon();
  },
  form: () => state.grown.form,
  suggest: newSuggester(later, never, (asked) =>
    host.callTool("suggest_form_values", { form: state.drawing.show, ...asked }),
  ),
  become,
  say,
  focus(key) {
    focusKey(main, key);
  },
  choose(name, value, show) {
    ask.set(name, value);
    if (show && !state.parts[value]) partReader.readPart(value, show);
    say(value);
    if (modeNow() === "fullscreen") scrollTo(0, 0);
    tellModelSoon();
  },
  part: partReader.readPart,
  open: openInPlace,
  /** The same list asked for longer, which is no step of the trail. */
  longer(show, name) {
    state.show = show;
    state.trail.pass(state.drawing);
    // What is under way asks for the shorter one.
    dropRead();
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

function take(drawing) {
  const before = state.drawing;
  const wasDrawn = state.stage === "drawn";
  state.drawing = drawing;
  state.offered = null;
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
  keepCurrent(drawing);
  if (!before && state.trail.length() > 0)
    say(`Opened: ${shortened(KINDS.get(drawing.kind).title(drawing.facts), 200)}`);
  if (!before && state.trail.length() + state.changes.length > 0) tellModelSoon();
  if (before?.kind === drawing.kind && before.fingerprint !== drawing.fingerprint) {
    tellChanges(before, drawing);
    // What was asked for alone is as old as what was drawn around it, and so may be what is still asked for.
    partReader.readAnew(Object.entries(state.parts));
  }
}

function keepCurrent({ motion, read_at }) {
  poller.drawn({ motion, age_ms: Date.now() - Date.parse(read_at) || 0 });
}

// What the person reads stays until they want the newer one (R31).
function offer(drawing) {
  if (state.offered === null) say("A newer state can be shown.");
  state.offered = drawing;
  state.notice = "";
  drawAll();
  poller.drawn({ motion: drawing.motion, age_ms: 0 });
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

/** Asks for the view anew. `why`: poll (said to nobody unless it changed), pressed, ladder, done (something). */
function read(why) {
  // What the person waits for does not wait for the poller.
  if (state.asking && (why === "poll" || state.asking !== "poll")) return;
  const desk = deskNow();
  const told = () => why === "done" && desk.settle();
  if (!canRead()) {
    told();
    // The handshake may be answered later still; nothing is sent until then.
    pollLater();
    return;
  }
  const ticket = dropRead();
  state.asking = why;
  if (why === "pressed") drawAll();
  const { show } = state;
  const held = state.offered ?? state.drawing;
  // Colors that came too late are there the next time, in an answer that says more than that nothing changed.
  const isLate = held?.dressing?.late === true && state.lates < MOST_LATES;
  if (isLate) state.lates += 1;
  const fingerprint = isLate ? null : held?.fingerprint;
  host.callTool("refresh_view", fingerprint ? { show, fingerprint } : { show }).then(
    (result) => {
      if (ticket === state.ticket) answeredRead(why, result);
      told();
    },
    (error) => {
      told();
      if (ticket !== state.ticket) return;
      state.asking = "";
      if (why !== "poll") fail(error.message);
      pollLater();
    },
  );
}

/** Whatever answers the reading under way counts no more. @returns {number} The next one's ticket. */
function dropRead() {
  state.asking = "";
  state.ticket += 1;
  return state.ticket;
}

function answeredRead(why, result) {
  state.asking = "";
  const payload = payloadOf(result, KINDS);
  if (payload?.unchanged === true && state.drawing) {
    const held = state.offered ? "offered" : "drawing";
    state[held] = { ...state[held], read_at: payload.read_at, motion: payload.motion };
    state.notice = "";
    poller.unchanged(payload.motion);
    drawAll();
    if (why === "pressed" && state.offered) take(state.offered);
    else if (why === "pressed") say("Nothing has changed.");
    return;
  }
  if (payload?.facts && result.isError !== true) {
    const isOther = KINDS.get(payload.kind).isOther ?? (() => false);
    if (why === "poll" && state.drawing && isOther(state.drawing.facts, payload.facts)) {
      offer(payload);
      return;
    }
    take(payload);
    if (why === "pressed") say("Read again.");
    return;
  }
  pollLater(payload?.retry_after_ms);
  if (!isForeign(payload, KINDS)) fail(textOf(result));
  else if (state.drawing) fail("what came is of another version of bb than this page. Reload the chat.");
  else stand("format");
}

// Only what is drawn is kept current: a view without data asks once, and then when the person does.
function pollLater(wait_ms) {
  if (state.drawing) poller.failed(wait_ms);
}

function openInPlace(show) {
  if (!host.can("serverTools")) return;
  const { show: left, drawing, grown, parts, changes } = state;
  const kept = { show: left, drawing, grown, parts, changes };
  state.trail.leave({ ...kept, focus: focused(), scrolled: scrollY });
  turnTo({ ...newView(), show, laddered: true });
  drawAll();
  // What was pressed is gone; the way back takes the focus, and keeps it once the view stands.
  focusKey(main, "back");
  scrollTo(0, 0);
  read("ladder");
}

/** Another view takes this one's place, and the model is told why. */
function become(show, told) {
  state.trail.pass(state.drawing);
  turnTo({ ...newView(), show, changes: [told], laddered: true });
  say(told);
  tellModelSoon();
  drawAll();
  read("ladder");
}

function goBack() {
  const stop = state.trail.back();
  if (!stop) return;
  const { focus, scrolled, ...view } = stop;
  turnTo({ ...view, stage: "drawn" });
  // Nobody heard the answer to what was asked for when it was left.
  partReader.readAnew(Object.entries(view.parts).filter(([, part]) => part.asking));
  drawAll();
  focusKey(main, focus);
  scrollTo(0, scrolled);
  tellModelSoon();
  keepCurrent(stop.drawing);
}

function newView() {
  return { drawing: null, stage: "reading", grown: {}, parts: {}, changes: [] };
}

// An answer to what another view asked is nobody's any more, and what is left rests.
function turnTo(view) {
  dropRead();
  poller.rest();
  Object.assign(state, view, {
    said: "",
    notice: "",
    offered: null,
    lates: 0,
    turn: state.turn + 1,
  });
}

function focused() {
  return document.activeElement?.getAttribute("data-focus") ?? null;
}

// ---- what the person does ----

// What is written stays with what it is about, wherever else the person goes meanwhile.
function deskNow() {
  const key = keyOfShow(state.show);
  if (!desks.has(key))
    desks.set(key, newDesk({ call: host.callTool, changed: drawAll, focus: ask.focus, ended }));
  return desks.get(key);
}

function ended(desk, told, words) {
  if (told) {
    state.changes = [told, ...state.changes].slice(0, MOST_CHANGES);
    tellModelSoon();
  }
  say(told ? `Done. ${words}` : words);
  if (desk !== deskNow()) {
    desk.settle();
    return;
  }
  // What was asked for before may be of the state before.
  dropRead();
  read("done");
}

// ---- telling the model and the person ----

function tellChanges(before, after) {
  const kind = KINDS.get(after.kind);
  const said = kind.changes(before.facts, after.facts);
  state.changes = [...said, ...state.changes].slice(0, MOST_CHANGES);
  say(said[0]);
  tellModelSoon();
}

function tellModel() {
  const { kind, facts, read_at } = state.drawing ?? {};
  const words = kind ? `${KINDS.get(kind).describe(facts, state.grown)} Read ${read_at}.` : "";
  host.tellModel(modelText(words, state.changes));
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
    desk: deskNow(),
    opens: (kind) => KINDS.has(kind) && offered("kinds", kind),
    may: (tool) => offered("tools", tool),
    parts: state.parts,
    canAsk: canRead(),
    offers: state.drawing?.offers ?? {},
    ask,
  };
}

function offered(sort, name) {
  const names = state.drawing?.offers?.[sort];
  return host.can("serverTools") && Array.isArray(names) && names.includes(name);
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
    redraw(main, "state", [surround.instead(KINDS.get(state.show?.kind)?.noun ?? "view")]);
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
    redraw(main, kind.shape, surround.around(regions));
  } catch (error) {
    forget(main);
    console.error(error);
    return false;
  }
  document.title = spelled(kind.title(state.drawing.facts));
  settle(view);
  settleClips(main);
  paintPictures();
  drawOnSoon();
  if (held && focused() !== held) focusKey(main, held);
  tellSizeSoon();
  return true;
}

function settle(view) {
  KINDS.get(state.drawing.kind).settle?.(main, state.drawing, view);
  settleSpots(main, view);
}

let growsOn = false;

// Long lists are drawn to their end a few milliseconds at a time, so that nothing waits for them.
function drawOnSoon() {
  if (growsOn) return;
  growsOn = true;
  later(() => {
    growsOn = false;
    const end = performance.now() + STEP_MS;
    if (state.stage !== "drawn") return;
    nameTimes(main, clock());
    if (!growSome(() => performance.now() > end)) return;
    settle(viewOf());
    paintPictures();
    tellSizeSoon();
    drawOnSoon();
  }, 0);
}

function paintPictures() {
  const all = [...Object.values(state.parts), state].map((one) => one.drawing?.dressing);
  paintAvatars(main, Object.assign({}, ...all.map((one) => one?.avatars)), life.signal);
  paintCode(main, Object.assign({}, ...all.map((one) => one?.fences)));
}

function readFromState() {
  state.laddered = true;
  read("pressed");
}

// ---- theme, screen, ages ----

function dress() {
  applyTheme(document.documentElement, host.context(), dark.matches);
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
