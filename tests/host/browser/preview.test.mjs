// The preview's own page in a browser: what a person first sees of bb (contract 7).
//
// Never looks into how the view is drawn: the other files do. Start at openPreview().

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { built } from "../support.mjs";
import { openBrowser } from "./support.mjs";

const PATIENCE_MS = 30_000;
let browser;
let preview;

before(async () => {
  browser = await openBrowser();
  preview = await startPreview();
});
after(async () => {
  await browser.close();
  await preview.stop();
});

/** Starts the example beside the stand-in's, and waits until it has told its address. */
async function startPreview() {
  const child = spawn(join(dirname(built("BB_STANDIN")), "preview"), [], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise((resolve) => child.once("close", resolve));
  for await (const line of createInterface({ input: child.stdout })) {
    const [, url] = /^The preview is at (\S+) /.exec(line) ?? [];
    if (!url) continue;
    const stop = async () => {
      child.kill();
      await ended;
    };
    return { url, stop };
  }
  throw new Error("the preview ended before it told its address");
}

/** Its page, set as the address says, with the view that it frames. */
async function openPreview(chosen = {}) {
  const page = await browser.context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  const errors = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  await page.goto(`${preview.url}#${new URLSearchParams({ theme: "light", ...chosen })}`);
  const view = page.frameLocator("iframe");
  await view.locator("h1").waitFor();
  return { page, view, errors };
}

test("each sample of each kind is drawn at a press, in a frame without rights", async () => {
  const { page, view, errors } = await openPreview();
  assert.equal(await page.locator("iframe").getAttribute("sandbox"), "allow-scripts");
  const samples = page.locator(".sample:not(.of-team)");
  assert.ok((await samples.count()) >= 30);
  for (const sample of await samples.all()) {
    await page.locator("iframe").evaluate((frame) => frame.setAttribute("name", "before"));
    await sample.click();
    // Drawn, and not the view before.
    await page.locator("iframe:not([name])").waitFor();
    await view.locator("text=Read just now").waitFor();
    await page.locator(".called:has-text(' bytes')").waitFor();
    assert.match(await page.locator(".called").innerText(), /ms, [\d,]+ bytes/);
  }
  assert.deepEqual(errors, []);
  await page.close();
});

test("each view of a team's manifest is drawn at a press, and calls its own server", async () => {
  const { page, view, errors } = await openPreview();
  await page.click("text=What v1.5.0 brought");
  await view.locator("h1:has-text('Release v1.5.0')").waitFor();
  await view.locator("text=Read the newest sample").click();
  await view.locator("text=Merged Feb 10, 2026 from feature/telemetry").waitFor();
  await page.locator(".wire li:has-text('pull_request_of_release')").waitFor();
  await page.click("text=What is open in ACME");
  await view.locator("h1:has-text('Build wall of ACME')").waitFor();
  await view.locator("text=Light the engine with a real igniter").click();
  await view.locator("text=CI » build (arm)").waitFor();
  await page.click("text=Dark");
  await view.locator(":root[style*='color-scheme: dark']").waitFor();
  assert.deepEqual(errors, []);
  await page.close();
});

test("others at work are seen in the view, and the model is told", async () => {
  const { page, view, errors } = await openPreview();
  await view.locator("text=1 of 4 approved").waitFor();
  await page.click("text=Tomas approves");
  // By itself: a build of this one runs, so the view asks every few seconds.
  await view.locator("text=2 of 4 approved").waitFor();
  await page.locator(".context:has-text('Tomas Lindqvist approved')").waitFor();
  await page.click("text=Wren changes the title");
  await view.locator("h1:has-text(', and measure it')").waitFor();
  assert.deepEqual(errors, []);
  await page.close();
});

test("theme, width and display follow the buttons and the view; a link is shown, not opened", async () => {
  const { page, view, errors } = await openPreview({ sample: 3, width: 380 });
  const themeOf = () => view.locator("html").getAttribute("data-theme");
  assert.equal(await themeOf(), "light");
  assert.equal((await page.locator("iframe").boundingBox()).width, 380);
  await page.click("text=Dark");
  await view.locator("html[data-theme=dark]").waitFor();
  await page.click(".choices >> text=720");
  assert.equal((await page.locator("iframe").boundingBox()).width, 720);

  await view.locator("text=Fullscreen").click();
  await view.locator("html[data-mode=fullscreen]").waitFor();
  assert.equal((await page.locator("iframe").boundingBox()).width, page.viewportSize().width);
  await page.click(".leave");
  await view.locator("html[data-mode=inline]").waitFor();

  await view.locator("text=Open in Bitbucket").click();
  await page.locator(".links li:has-text('/pull-requests/41')").waitFor();
  assert.equal(browser.context.pages().filter((one) => one.url().includes("/projects/")).length, 0);
  assert.deepEqual(errors, []);
  await page.close();
});

for (const host of ["stripped", "strict", "handshake", "silent"]) {
  test(`the view is drawn in the host that is ${host}`, async () => {
    const { page, view, errors } = await openPreview({ host });
    await view.locator("text=Write down the lowest pressure").waitFor();
    assert.deepEqual(errors, []);
    await page.close();
  });
}
