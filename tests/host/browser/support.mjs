// Chromium, the page, the drawings, and hosts to frame the page in.
//
// Never fetches anything: the host's page is served to the browser from memory. Start at openFrame().

import { execFileSync } from "node:child_process";
import { accessSync, constants, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { built } from "../support.mjs";

const HERE = dirname(fileURLToPath(import.meta.url));
export const ROOT = join(HERE, "../../..");
const HOST_ADDRESS = "http://host.test/";
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // A sandboxed frame in a process of its own may run its scripts before the fake clock is in it.
  "--disable-features=IsolateSandboxedIframes",
];

/** What a host of the specification's minimum sets (no `csp` declared). */
export const POLICY_OF_SPECIFICATION =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; media-src 'self' data:; connect-src 'none'";
/** What MCP Inspector sets: `data:` pictures are blocked too. */
export const POLICY_OF_INSPECTOR =
  "default-src 'none'; connect-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src 'none'; font-src 'none'; media-src 'none'; frame-src 'none'; base-uri 'self'; form-action 'none'; object-src 'none'; worker-src 'none'";

let html;
/** The page as a host is given it: read from the built bb, which needs no Bitbucket for it. BB_PAGE names a file instead. */
export function pageHtml() {
  html ??= process.env.BB_PAGE ? readFileSync(process.env.BB_PAGE, "utf8") : readPage();
  return html;
}

function readPage() {
  const request = {
    jsonrpc: "2.0",
    id: 1,
    method: "resources/read",
    params: { uri: "ui://bb/view" },
  };
  const answer = execFileSync(built("BB_BIN"), ["ai", "mcp", "serve"], {
    encoding: "utf8",
    env: { BITBUCKET_URL: "http://127.0.0.1:9", BITBUCKET_TOKEN: "a-token-for-nobody" },
    input: `${JSON.stringify(request)}\n`,
    maxBuffer: 1 << 24,
  });
  return JSON.parse(answer).result.contents[0].text;
}

/** The kinds that there are drawings of. */
export function drawingKinds() {
  return readdirSync(join(ROOT, "fixtures/drawings"));
}

/** Names of the drawings of one kind. */
export function drawingNames(kind) {
  return readdirSync(join(ROOT, "fixtures/drawings", kind))
    .filter((name) => name.endsWith(".json"))
    .map((name) => name.slice(0, -5));
}

/** One drawing, as bb sends it under `_meta["bb/view"]`. */
export function drawing(kind, name) {
  return JSON.parse(readFileSync(join(ROOT, "fixtures/drawings", kind, `${name}.json`), "utf8"));
}

/** A result that carries a drawing. */
export function resultWith(view, text = "Shown.") {
  return { content: [{ type: "text", text }], _meta: { "bb/view": view } };
}

/** The path of the browser; fails, never skips, where there is none. */
function browserPath() {
  const named = process.env.BB_CHROMIUM;
  const found = named
    ? [named]
    : (process.env.PATH ?? "")
        .split(delimiter)
        .flatMap((folder) => [
          join(folder, "chromium"),
          join(folder, "chromium-browser"),
          join(folder, "google-chrome"),
        ]);
  for (const path of found) {
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // The next one.
    }
  }
  throw new Error("no Chromium: set BB_CHROMIUM or put chromium on PATH");
}

/** A browser with a profile of its own; `close` removes it. */
export async function openBrowser() {
  const profile = mkdtempSync(join(tmpdir(), "bb-chromium-"));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: browserPath(),
    headless: true,
    args: FLAGS,
    viewport: { width: 1280, height: 1000 },
  });
  const close = async () => {
    await context.close();
    rmSync(profile, { recursive: true, force: true });
  };
  return { context, close };
}

/**
 * A host's page with the view framed in it. The host answers as `answers` says, and keeps every message.
 *
 * @param {import("playwright-core").BrowserContext} context
 * @param {Object} options
 * @param {number | null} [options.clock] Unix milliseconds that a fake clock starts at; null for the real one.
 * @param {string} [options.policy] Put after <head>, as hosts do.
 * @param {Object | null} [options.initialize] The result of `ui/initialize`; null is silence.
 * @param {"refuse" | "silence" | "yes"} [options.requests] What every other request is answered with.
 * @param {"follow" | "ignore"} [options.size] What the host does with a size it is told.
 * @param {string} [options.html] Another page than bb's own.
 */
export async function openFrame(context, options = {}) {
  const settings = {
    width: 720,
    height: 600,
    sandbox: "allow-scripts",
    size: "follow",
    requests: "refuse",
    initialize: initialized({}),
    policy: POLICY_OF_SPECIFICATION,
    ...options,
  };
  const page = await context.newPage();
  const errors = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  if (settings.media) await page.emulateMedia(settings.media);
  if (settings.clock) await page.clock.install({ time: settings.clock });
  await page.route("**/*", (route) =>
    route.request().url() === HOST_ADDRESS
      ? route.fulfill({
          contentType: "text/html",
          body: "<!doctype html><title>host</title><body style='margin:0'>",
        })
      : route.abort(),
  );
  await page.goto(HOST_ADDRESS);
  await page.evaluate(keepMarks);
  const served = withPolicy(settings.html ?? pageHtml(), settings.policy).replace(
    "<html",
    settings.fontSize ? `<html style="font-size:${settings.fontSize}"` : "<html",
  );
  await page.evaluate(scriptedHost, { ...settings, html: served });
  const frame = await frameOf(page);
  const host = {
    page,
    frame,
    errors,
    view: page.frameLocator("iframe"),
    log: async () => {
      await arrived(page, frame);
      return page.evaluate(() => window.bbHost.log);
    },
    sent: async (method) => {
      await arrived(page, frame);
      return page.evaluate(
        (wanted) => window.bbHost.log.filter((message) => message.method === wanted),
        method,
      );
    },
    send: (message) => page.evaluate((sent) => window.bbHost.send(sent), message),
    notify: (method, params) =>
      page.evaluate((sent) => window.bbHost.send(sent), { jsonrpc: "2.0", method, params }),
    answer: (id, result) =>
      page.evaluate((sent) => window.bbHost.send(sent), { jsonrpc: "2.0", id, result }),
    text: () => frame.evaluate(() => document.querySelector("main").innerText),
    sizes: async () => {
      await arrived(page, frame);
      return page.evaluate(() =>
        window.bbHost.log
          .filter((message) => message.method === "ui/notifications/size-changed")
          .map((message) => message.params),
      );
    },
    close: () => page.close(),
  };
  if (settings.initialize)
    await until(
      host,
      "the handshake",
      async () => (await host.sent("ui/notifications/initialized")).length === 1,
    );
  return host;
}

/** Runs in the host's page, before anything there listens: marks of `arrived` are kept apart from messages. */
export function keepMarks() {
  window.marks = new Set();
  addEventListener("message", (event) => {
    if (!event.data?.mark) return;
    event.stopImmediatePropagation();
    window.marks.add(event.data.mark);
  });
}

let marks = 0;
/**
 * Waits until everything that the frame has posted so far is with the host: messages of one frame keep their order, so
 * a mark posted after them arrives after them. A frame that is gone has nothing more to say.
 */
export async function arrived(page, frame) {
  marks += 1;
  const mark = marks;
  const posted = await frame
    .evaluate((sent) => parent.postMessage({ mark: sent }, "*"), mark)
    .then(
      () => true,
      () => false,
    );
  const end = performance.now() + 8_000;
  while (posted && !(await page.evaluate((sent) => window.marks.delete(sent), mark)))
    if (performance.now() > end) throw new Error("a mark from the frame never reached the host");
}

/** What a host says of itself in the handshake. */
export function initialized({ capabilities = { serverTools: {}, openLinks: {} }, ...context }) {
  return {
    protocolVersion: "2026-01-26",
    hostInfo: { name: "test", version: "1" },
    hostCapabilities: capabilities,
    hostContext: { theme: "light", ...context },
  };
}

/** Waits for a condition until a deadline, and says what was waited for and what the host has seen. */
export async function until(host, what, condition, ms = 8_000) {
  const end = performance.now() + ms;
  for (;;) {
    const value = await condition();
    if (value) return value;
    if (performance.now() > end) {
      throw new Error(
        `waited ${ms} ms for ${what}; the view says: ${await host.text().catch(String)}; sent: ${JSON.stringify(await host.log()).slice(0, 2_000)}; errors: ${host.errors.join("; ")}`,
      );
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
}

export function withPolicy(text, policy) {
  return policy
    ? text.replace(
        "<head>",
        `<head><meta http-equiv="Content-Security-Policy" content="${policy}">`,
      )
    : text;
}

export async function frameOf(page) {
  const handle = await page.waitForSelector("iframe", { state: "attached" });
  const frame = await handle.contentFrame();
  await frame.waitForSelector("main > *", { state: "attached" });
  return frame;
}

// Runs in the host's page.
function scriptedHost(settings) {
  const frame = document.createElement("iframe");
  frame.setAttribute("sandbox", settings.sandbox);
  Object.assign(frame.style, {
    width: `${settings.width}px`,
    height: `${settings.height}px`,
    border: "0",
    display: "block",
  });
  const send = (message) => frame.contentWindow.postMessage(message, "*");
  const log = [];
  window.bbHost = { log, send, frame };
  addEventListener("message", ({ data, source }) => {
    if (source !== frame.contentWindow) return;
    log.push({ ...data, at: Date.now(), order: log.length });
    if (data.method === "ui/notifications/size-changed" && settings.size === "follow")
      frame.style.height = `${data.params.height}px`;
    if (data.id === undefined || data.method === undefined) return;
    if (data.method === "ui/initialize") {
      if (settings.initialize) send({ jsonrpc: "2.0", id: data.id, result: settings.initialize });
    } else if (data.method === "tools/call" && settings.tools) {
      const queue = settings.tools;
      const next = queue.length > 1 ? queue.shift() : queue[0];
      if (next) send({ jsonrpc: "2.0", id: data.id, ...next });
    } else if (settings.requests === "refuse")
      send({ jsonrpc: "2.0", id: data.id, error: { code: -32601, message: "Method not found" } });
    else if (settings.requests === "yes") send({ jsonrpc: "2.0", id: data.id, result: {} });
  });
  frame.srcdoc = settings.html;
  document.body.append(frame);
}
