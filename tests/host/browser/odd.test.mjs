// Hosts that answer nothing, an error to everything, or the same result an hour later, with each kind of view.
//
// Start at open().

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { drawing, initialized, openBrowser, openFrame, resultWith, until } from "./support.mjs";

const START = Date.parse("2026-11-30T10:00:00Z");
const HOUR = 3_600_000;
const SAMPLES = {
  pull_request: "world-open",
  pull_requests: "open",
  diff: "world-comments",
  commits: "pull-request",
  builds: "every-state",
};
let browser;

before(async () => (browser = await openBrowser()));
after(() => browser.close());

/** A drawing read just now, or so long ago. */
function view(kind, changes = {}, ago = 0) {
  const read_at = new Date(START - ago).toISOString();
  return { ...drawing(kind, SAMPLES[kind]), motion: "moving", read_at, ...changes };
}

async function open(first, given = {}) {
  const host = await openFrame(browser.context, {
    clock: START,
    initialize: initialized({
      capabilities: { serverTools: {}, openLinks: {}, updateModelContext: {} },
      availableDisplayModes: ["inline", "fullscreen"],
    }),
    ...given,
  });
  await host.notify("ui/notifications/tool-result", resultWith(first));
  await host.frame.waitForSelector("h1");
  return host;
}

const calls = (host) => host.sent("tools/call");
const heading = (host) => host.frame.evaluate(() => document.querySelector("h1").innerText);

test("a host that refuses everything is asked less and less, and the view stands", async () => {
  for (const kind of Object.keys(SAMPLES)) {
    const host = await open(view(kind), {
      requests: "refuse",
      tools: [{ error: { code: -32603, message: "not today" } }],
    });
    const title = await heading(host);
    const before_ = await host.frame.locator("main .region").count();
    for (let step = 0; step < 20; step += 1) {
      await host.page.clock.runFor(30_000);
      await host.log();
    }
    const asked = (await calls(host)).length;
    // After 5, 15, 35, 75, 155, 315 and 615 s, or as much later as the answers took.
    assert.ok(asked >= 4 && asked <= 7, `${kind}: ${asked} calls`);
    await host.frame.click("[data-focus=again]");
    await host.frame.waitForSelector("text=The last read failed: not today");
    await host.frame.evaluate(() => document.querySelector("a[href]").click());
    await host.frame.click("text=Fullscreen");
    await host.page.clock.runFor(1_000);
    assert.equal(await heading(host), title);
    assert.equal(await host.frame.locator("main .region").count(), before_);
    assert.deepEqual(host.errors, [], kind);
    await host.close();
  }
});

test("a host that answers nothing has the view stand, and no second question before the first is lost", async () => {
  for (const kind of Object.keys(SAMPLES)) {
    const host = await open(view(kind), { requests: "silence" });
    await host.page.clock.runFor(34_000);
    assert.equal((await calls(host)).length, 1, kind);
    // Lost after 30 s, asked again after twice five.
    await host.page.clock.runFor(20_000);
    await until(host, "the next question", async () => (await calls(host)).length === 2);
    assert.doesNotMatch(await host.text(), /failed: the host/, "a lost poll is said to nobody");
    assert.deepEqual(host.errors, [], kind);
    await host.close();
  }
});

test("a frame mounted anew with a result of an hour ago says so, and asks once at once unless it is still", async () => {
  for (const kind of Object.keys(SAMPLES))
    for (const motion of kind === "builds" ? ["moving", "still"] : ["quiet", "still"]) {
      const old = view(kind, { motion }, HOUR);
      const newer = view(kind, { motion: "still", fingerprint: "newer" });
      const host = await open(old, { tools: [{ result: resultWith(newer) }] });
      assert.match(await host.text(), /Read 1 hour ago/, kind);
      await host.page.clock.runFor(3_000);
      if (motion === "still") {
        await host.page.clock.runFor(HOUR);
        assert.deepEqual(await calls(host), [], kind);
      } else {
        const [call] = await until(host, "the question", async () => {
          const all = await calls(host);
          return all.length > 0 && all;
        });
        const { show, fingerprint } = old;
        assert.deepEqual(call.params.arguments, { show, fingerprint });
        await until(host, "the newer state", async () => /Read just now|Read \d+ seconds? ago|Read now/i.test(await host.text()));
        await host.page.clock.runFor(HOUR);
        assert.equal((await calls(host)).length, 1, kind);
      }
      assert.deepEqual(host.errors, [], kind);
      await host.close();
    }
});

test("a page of an older bb draws a newer one's result, and offers what it knows alone", async () => {
  for (const kind of Object.keys(SAMPLES)) {
    const known = view(kind, { motion: "still" });
    const newer = structuredClone(known);
    newer.offers.kinds.push("starmap", "__proto__", 7, null);
    newer.offers.tools.push("launch_rocket", "constructor");
    newer.offers.agents = [{ name: "x" }];
    newer.weather = { on: "Mars" };
    newer.facts.weather = { on: "Mars" };
    newer.dressing = { ...newer.dressing, music: "loud" };
    const host = await open(known);
    const [text, title] = [await host.text(), await heading(host)];
    await host.notify("ui/notifications/tool-result", resultWith(newer));
    await host.log();
    assert.equal(await host.text(), text, kind);
    // An older server sends no offers and no dressing.
    const { offers, dressing, ...bare } = known;
    await host.notify("ui/notifications/tool-result", resultWith(bare));
    await host.log();
    assert.equal(await heading(host), title);
    assert.doesNotMatch(await host.text(), /could not be drawn/);
    assert.deepEqual(host.errors, [], kind);
    await host.close();
  }
  const strange = await openFrame(browser.context, { clock: START });
  await strange.notify("ui/notifications/tool-result", resultWith({ ...view("diff"), format: 99 }));
  await strange.frame.waitForSelector("text=another version of bb");
  assert.match(await strange.text(), /Reload the chat/);
  await strange.close();
});
