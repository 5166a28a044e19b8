// MCP Inspector's web client as a whole foreign host: its own server, its own sandbox, its own policy (mcp-apps.md 5.2).
//
// Nothing of it is ours but the clicks. Start at openInspector().

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { server, startStandin } from "../support.mjs";
import { openBrowser } from "./support.mjs";

const INSPECTOR = join(import.meta.dirname, "../node_modules/.bin/mcp-inspector");
const TOKEN = "a-token-for-this-test";
const PATIENCE_MS = 60_000;

const BUSY = { kind: "pull_request", project: "ACME", repo: "rocket", id: 42 };

let browser;
let standin;
let inspector;
let folder;

before(async () => {
  browser = await openBrowser();
  standin = await startStandin();
  folder = mkdtempSync(join(tmpdir(), "bb-inspector-web-"));
});
after(async () => {
  await browser.close();
  await inspector?.stop();
  await standin.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** A port that was free a moment ago: Inspector takes numbers only. */
async function freePort() {
  const probe = createServer();
  await new Promise((resolve) => probe.listen(0, "127.0.0.1", resolve));
  const { port } = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

/** Starts Inspector with bb as its one server, and waits until it answers. */
async function startInspector() {
  const config = join(folder, "servers.json");
  writeFileSync(config, JSON.stringify({ mcpServers: { bb: { type: "stdio", ...server(standin) } } }));
  const [client, sandbox] = [await freePort(), await freePort()];
  const child = spawn(process.execPath, [INSPECTOR, "--web", "--config", config], {
    cwd: folder,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      MCP_INSPECTOR_SECRET_STORE: "memory",
      MCP_AUTO_OPEN_ENABLED: "false",
      CLIENT_PORT: String(client),
      MCP_SANDBOX_PORT: String(sandbox),
      MCP_INSPECTOR_API_TOKEN: TOKEN,
    },
  });
  let said = "";
  let ended = false;
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (said += chunk));
  const closed = new Promise((resolve) => child.once("close", resolve)).then(() => (ended = true));
  const stop = async () => {
    // Its own children are in its group; none of ours is.
    if (!ended) process.kill(-child.pid, "SIGKILL");
    await closed;
  };
  const url = `http://127.0.0.1:${client}/?MCP_INSPECTOR_API_TOKEN=${TOKEN}`;
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const answer = await fetch(url).catch(() => null);
    if (answer?.ok) return { url, stop, said: () => said };
    if (ended || Date.now() > deadline) {
      await stop();
      throw new Error(`Inspector does not answer at ${url}: ${said}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

test("it draws each kind from its own call of show, keeps it current, and opens a row in place", { timeout: 6 * PATIENCE_MS }, async () => {
  inspector = await startInspector();
  const page = await browser.context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  const errors = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  await page.goto(inspector.url);
  await page.getByRole("switch").first().click({ force: true });
  await page.waitForSelector('[data-testid="connection-status"][data-status="connected"]');
  await page.getByText("Apps", { exact: true }).first().click();
  await page.getByText("Show to the person").click();

  const card = await open(page, BUSY, "Light the engine with a real igniter");
  await says(card, "2 failed builds", "1 of 4 approved", "Required by main: 1 of 3 successful");
  // Its view is kept current through it as well: by the button here, for the person does not wait.
  await standin.step({
    step: "review",
    repository: "ACME/rocket",
    id: 42,
    user: "tomas.lindqvist",
    status: "APPROVED",
  });
  await card.click("text=Read again");
  await card.waitForSelector("text=2 of 4 approved");

  const { kind: _, ...on } = BUSY;
  await says(await open(page, { kind: "diff", ...on }, "Light the engine with a real igniter"), "Modified");
  await says(await open(page, { kind: "commits", ...on }, "Commits"), "Open the valve when the pump stops");
  await says(await open(page, { kind: "builds", ...on }, "Builds"), "CI » test", "Failed");

  const { id: __, ...repository } = on;
  const list = await open(page, { kind: "pull_requests", ...repository }, "Open pull requests");
  await list.click("[data-focus='open #54']");
  await list.waitForSelector("h1:has-text('Say when it is ready')");
  await says(list, "Back", "Idris Vale");
  await list.click("[data-focus=back]");
  await list.waitForSelector("h1:has-text('Open pull requests')");
  assert.deepEqual(errors, []);
});

/** Opens `show` with these arguments in the Apps tab, and waits for the view with this heading. */
async function open(page, args, title) {
  const back = page.getByRole("button", { name: "Back to Input" });
  if (await back.count()) await back.click();
  const form = page.getByTestId("apps-form");
  const text = form.getByLabel(/^Arguments JSON/);
  await form.getByRole("switch").waitFor({ state: "attached" });
  if (!(await text.count())) await form.getByRole("switch").click({ force: true });
  await text.focus();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText(JSON.stringify(args));
  await form.getByRole("button", { name: "Open App" }).click();
  await page.waitForSelector('[data-testid="apps-form"][data-app-status="ready"]');
  const view = await innermost(page);
  await view.waitForSelector(`h1:text-is('${title}')`);
  return view;
}

async function says(view, ...words) {
  for (const one of words) await view.locator(`main >> text=${one}`).first().waitFor();
}

/** The frame that the view is in: a frame of the host's sandbox, without an address. */
async function innermost(page) {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const found = page.frames().find((frame) => frame.url() === "about:srcdoc");
    if (found) return found;
    if (Date.now() > deadline) throw new Error(`frames: ${page.frames().map((one) => one.url())}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
