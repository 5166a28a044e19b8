// What a host delivers late, stripped, twice or never, on a clock that the test moves.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import {
  ROOT,
  drawing,
  initialized,
  openBrowser,
  openFrame,
  resultWith,
  until,
} from "./support.mjs";

const START = Date.parse("2026-11-30T10:00:00Z");
const MINUTE = 60_000;
let browser;

before(async () => {
  browser = await openBrowser();
});
after(() => browser.close());

/** A drawing read just now, so that its age asks for nothing. */
function card(name = "busiest-open", changes = {}) {
  return { ...drawing("pull_request", name), read_at: new Date(START).toISOString(), ...changes };
}

const unchanged = (motion, at = START) => ({
  result: {
    content: [],
    _meta: {
      "bb/view": { format: 1, unchanged: true, read_at: new Date(at).toISOString(), motion },
    },
  },
});

/** Plays a step file; `expect` is called with each expectation's words. */
async function play(file, expect) {
  const host = await openFrame(browser.context, {
    clock: START,
    initialize: null,
    requests: "silence",
  });
  let now = 0;
  for (const line of readFileSync(
    join(ROOT, "fixtures/cases/11-results-that-do-not-come", file),
    "utf8",
  )
    .trim()
    .split("\n")) {
    const step = JSON.parse(line);
    if (step.expect) {
      await expect(host, step.expect);
      continue;
    }
    if (step.at_ms > now) await host.page.clock.runFor(step.at_ms - now);
    now = step.at_ms;
    const message = step.message;
    if (message.params?._meta) message.params._meta = { "bb/view": card() };
    if (message.result?._meta) message.result._meta = { "bb/view": card() };
    if (message.id === "<id of ui/initialize>")
      message.id = (await until(host, "ui/initialize", () => host.sent("ui/initialize")))[0].id;
    if (message.id === "<id of that call>") message.id = (await host.sent("tools/call"))[0].id;
    await host.send(message);
    await settle(host);
  }
  await host.close();
}

/** Lets the view take what was sent, and the two frames that follow. */
async function settle(host) {
  await host.frame.evaluate(
    () =>
      new Promise((resolve) => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = resolve;
        port2.postMessage(0);
      }),
  );
  await host.page.clock.runFor(50);
}

const drawn = (host) =>
  until(host, "the card", () =>
    host.frame.evaluate(() =>
      document.querySelector("h1")?.innerText.startsWith("Faster ignition"),
    ),
  );

test("a drawing is never replaced by less", async () => {
  await play("again.jsonl", async (host, words) => {
    await drawn(host);
    const text = await host.text();
    assert.match(text, /3 open tasks/);
    if (words.includes("the last read failed"))
      assert.match(text, /The last read failed: Pull request 7/);
    else assert.doesNotMatch(text, /failed: /);
  });
});

test("where no result comes, the view says so after ten seconds and offers to ask", async () => {
  await play("late.jsonl", async (host, words) => {
    const text = await host.text();
    if (words.startsWith("a sign")) {
      assert.match(text, /Reading the/);
      assert.equal(await host.frame.locator("[aria-busy=true]").count(), 1);
    } else if (words.startsWith("by now")) {
      assert.match(text, /No data has come/);
      assert.match(text, /Ask in the chat/);
      assert.equal(await host.frame.evaluate(() => document.documentElement.dataset.theme), "dark");
    } else if (words.includes("offers")) {
      assert.equal(await host.frame.locator("button:has-text('Read it again')").count(), 1);
    } else await drawn(host);
  });
});

test("a stripped result without a way to ask is told in its own words", async () => {
  await play("without-meta-or-tools.jsonl", async (host) => {
    await until(host, "the sentence", async () => /No data has come/.test(await host.text()));
    assert.match(await host.text(), /Pull request 7 of ACME\/rocket: Faster ignition, open\./);
    await host.page.clock.runFor(20 * MINUTE);
    assert.deepEqual(await host.sent("tools/call"), []);
  });
});

test("a stripped result is asked for again, once, with the call that it answers", async () => {
  await play("without-meta.jsonl", async (host, words) => {
    if (!words.startsWith("calls")) {
      await drawn(host);
      return;
    }
    const calls = await until(
      host,
      "the call",
      async () => (await host.sent("tools/call")).length === 1 && host.sent("tools/call"),
    );
    assert.deepEqual(calls[0].params, {
      name: "refresh_view",
      arguments: { show: { kind: "pull_request", project: "ACME", repo: "rocket", id: 7 } },
    });
    assert.match(await host.text(), /Faster ignition, open/);
    assert.doesNotMatch(await host.text(), /\d+ open|\d+ of \d+/);
  });
});

test("a view whose one question brought nothing asks no more by itself", async () => {
  const host = await openFrame(browser.context, {
    clock: START,
    tools: [{ result: { content: [] } }],
  });
  const stripped = { content: [{ type: "text", text: "Pull request 7." }] };
  await host.notify("ui/notifications/tool-input", {
    arguments: { kind: "pull_request", project: "ACME", repo: "rocket", id: 7 },
  });
  await host.notify("ui/notifications/tool-result", stripped);
  await until(host, "the failure", async () => /could not be read/.test(await host.text()));
  await host.notify("ui/notifications/tool-result", stripped);
  await host.page.clock.runFor(30 * MINUTE);
  assert.equal((await host.sent("tools/call")).length, 1);
  await host.frame.click("button:has-text('Read it again')");
  await until(
    host,
    "the person's own question",
    async () => (await host.sent("tools/call")).length === 2,
  );
  await host.close();
});

test("a drawing is drawn though the handshake was never answered", async () => {
  const host = await openFrame(browser.context, {
    clock: START,
    initialize: null,
    requests: "silence",
  });
  await host.notify("ui/notifications/tool-result", resultWith(card()));
  await drawn(host);
  await host.close();
});

test("a host that says nothing at all leaves a sentence, and is asked nothing", async () => {
  const host = await openFrame(browser.context, {
    clock: START,
    initialize: null,
    requests: "silence",
  });
  await host.page.clock.runFor(11_000);
  assert.match(await host.text(), /No data has come/);
  assert.deepEqual(
    (await host.log())
      .filter((message) => message.id !== undefined)
      .map((message) => message.method),
    ["ui/initialize"],
  );
  await host.close();
});

test("a refusal is drawn as one, with its words and a way forward", async () => {
  const host = await openFrame(browser.context, { clock: START });
  await host.notify("ui/notifications/tool-input", {
    arguments: { kind: "pull_request", project: "ACME", repo: "rocket", id: 4170 },
  });
  await host.notify("ui/notifications/tool-result", {
    isError: true,
    content: [{ type: "text", text: "No pull request 4170 in ACME/rocket." }],
  });
  await until(host, "the refusal", async () => /could not be read/.test(await host.text()));
  assert.match(await host.text(), /No pull request 4170 in ACME\/rocket\./);
  assert.equal(await host.frame.locator("button:has-text('Read it again')").count(), 1);
  await host.close();
});

for (const [what, changes] of [
  ["a format", { format: 2 }],
  ["a kind", { kind: "starmap" }],
])
  test(`${what} that the page does not know is said to be of another version`, async () => {
    const host = await openFrame(browser.context, { clock: START });
    await host.notify("ui/notifications/tool-result", resultWith({ ...card(), ...changes }));
    await until(host, "the sentence", async () => /another version of bb/.test(await host.text()));
    await host.close();
  });

test("facts that are not as bb writes them are said not to be drawable", async () => {
  const host = await openFrame(browser.context, { clock: START });
  await host.notify(
    "ui/notifications/tool-result",
    resultWith({ ...card(), facts: { reviewers: { listed: 7 } } }),
  );
  await until(host, "the sentence", async () => /could not be drawn/.test(await host.text()));
  await host.close();
});

test("unknown requests are refused, a ping is answered, strangers are not heard", async () => {
  const host = await openFrame(browser.context, { clock: START });
  await host.send({ jsonrpc: "2.0", id: "p", method: "ping" });
  await host.send({ jsonrpc: "2.0", id: 0, method: "tools/list", params: {} });
  const answer = async (id) =>
    (await host.log()).find((message) => message.id === id && message.method === undefined);
  assert.deepEqual((await until(host, "the answer", () => answer("p"))).result, {});
  assert.equal((await until(host, "the refusal", () => answer(0))).error.code, -32601);
  await host.frame.evaluate(
    (result) =>
      window.postMessage(
        { jsonrpc: "2.0", method: "ui/notifications/tool-result", params: result },
        "*",
      ),
    resultWith(card()),
  );
  await settle(host);
  assert.match(await host.text(), /Reading the/);
  for (const junk of [
    null,
    7,
    "x",
    [],
    { jsonrpc: "1.0" },
    { jsonrpc: "2.0", id: 99, result: {} },
    { jsonrpc: "2.0", method: 7 },
    { jsonrpc: "2.0", method: "__proto__" },
    { jsonrpc: "2.0", method: "constructor", params: 3 },
  ])
    await host.send(junk);
  await settle(host);
  assert.deepEqual(host.errors, []);
  await host.close();
});

/** Opens a card with this motion and lists, in seconds from the start, when it asked within `minutes`. */
async function askedAt({ minutes, tools, ...changes }) {
  const host = await openFrame(browser.context, { clock: START, tools });
  await host.notify("ui/notifications/tool-result", resultWith(card("busiest-open", changes)));
  await drawn(host);
  for (let passed = 0; passed < minutes * MINUTE; passed += 1_000)
    await host.page.clock.runFor(1_000);
  const calls = await host.sent("tools/call");
  return { host, seconds: calls.map((call) => Math.round((call.at - START) / 1_000)), calls };
}

test("a moving view asks every five seconds, with its fingerprint", async () => {
  const { host, seconds, calls } = await askedAt({
    motion: "moving",
    minutes: 0.6,
    tools: [unchanged("moving")],
  });
  assert.ok(seconds.length >= 6, String(seconds));
  for (let at = 1; at < seconds.length; at += 1)
    assert.ok(Math.abs(seconds[at] - seconds[at - 1] - 5) <= 1, String(seconds));
  assert.equal(calls[0].params.arguments.fingerprint, card().fingerprint);
  await host.close();
});

test("a quiet view asks after 15 s, then each time after twice as long, up to five minutes", async () => {
  const { host, seconds } = await askedAt({
    motion: "quiet",
    minutes: 21,
    tools: [unchanged("quiet")],
  });
  const gaps = seconds.map((second, at) => second - (seconds[at - 1] ?? 0));
  const expected = [15, 30, 60, 120, 240, 300, 300];
  assert.equal(gaps.length, expected.length, String(gaps));
  gaps.forEach((gap, at) => assert.ok(Math.abs(gap - expected[at]) <= 2, String(gaps)));
  await host.close();
});

test("colors that came too late are asked for with the next reads, at most three times", async () => {
  const { host, calls } = await askedAt({
    motion: "moving",
    minutes: 0.6,
    tools: [{ result: resultWith(card("busiest-open", { motion: "moving", dressing: { avatars: {}, late: true } })) }],
    dressing: { avatars: {}, late: true },
  });
  const known = calls.map(({ params }) => params.arguments.fingerprint ?? null);
  assert.ok(known.length >= 5, String(known));
  assert.deepEqual(known.slice(0, 4), [null, null, null, card().fingerprint]);
  assert.deepEqual(host.errors, []);
  await host.close();
});

test("a still view asks never again, and keeps a button", async () => {
  const { host, seconds } = await askedAt({
    motion: "still",
    minutes: 12,
    tools: [unchanged("still")],
  });
  assert.deepEqual(seconds, []);
  await host.frame.click("text=Read again");
  await until(host, "the call", async () => (await host.sent("tools/call")).length === 1);
  await host.page.clock.runFor(10 * MINUTE);
  assert.equal((await host.sent("tools/call")).length, 1);
  await host.close();
});

test("a failing read is asked again later and later, or when it was told to", async () => {
  const refused = {
    result: {
      isError: true,
      content: [{ type: "text", text: "Bitbucket asks for a pause." }],
      _meta: { "bb/view": { format: 1, retry_after_ms: 90_000 } },
    },
  };
  const { host, seconds } = await askedAt({
    motion: "moving",
    minutes: 3,
    tools: [refused, unchanged("moving")],
  });
  assert.ok(
    Math.abs(seconds[0] - 5) <= 1 &&
      Math.abs(seconds[1] - 95) <= 2 &&
      Math.abs(seconds[2] - 100) <= 2,
    String(seconds),
  );
  await host.close();
});

test("a view off screen asks nothing, and asks once when it is back", async () => {
  const host = await openFrame(browser.context, { clock: START, tools: [unchanged("moving")] });
  await host.notify("ui/notifications/tool-result", resultWith(card()));
  await drawn(host);
  await host.page.evaluate(() => {
    window.bbHost.frame.style.marginTop = "5000px";
  });
  await until(host, "the observer", () =>
    host.page.evaluate(
      () =>
        new Promise((resolve) => {
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () => resolve(window.bbHost.frame.getBoundingClientRect().top >= 5000);
          port2.postMessage(0);
        }),
    ),
  );
  // The browser tells of what left the screen at its own next frames.
  let calls = -1;
  await until(host, "the asking to end", async () => {
    const before = (await host.sent("tools/call")).length;
    await host.page.clock.runFor(30_000);
    const now = (await host.sent("tools/call")).length;
    calls = now;
    return now === before;
  });
  await host.page.clock.runFor(5 * MINUTE);
  assert.equal((await host.sent("tools/call")).length, calls);
  await host.page.evaluate(() => {
    window.bbHost.frame.style.marginTop = "0";
  });
  await until(host, "the asking again", async () => {
    await host.page.clock.runFor(100);
    return (await host.sent("tools/call")).length === calls + 1;
  });
  await host.close();
});

test("a change is drawn in place, keeps focus and scroll, is said once, and told to the model", async () => {
  const first = card();
  const next = structuredClone(first);
  next.fingerprint = "changed";
  next.read_at = new Date(START + 5_000).toISOString();
  next.facts.builds.listed[1].state = "SUCCESSFUL";
  next.facts.builds.states = { FAILED: 1, CANCELLED: 1, SUCCESSFUL: 4 };
  next.motion = "quiet";
  const host = await openFrame(browser.context, {
    clock: START,
    initialize: initialized({
      capabilities: { serverTools: {}, updateModelContext: { text: {} } },
    }),
    requests: "yes",
    tools: [{ result: resultWith(next) }],
  });
  await host.notify("ui/notifications/tool-result", resultWith(first));
  await drawn(host);
  await host.frame.evaluate(() => {
    window.heading = document.querySelector("h1");
    [...document.querySelectorAll(".build-name")]
      .find((node) => node.innerText.includes("bench"))
      .focus();
  });
  const held = await host.frame.evaluate(() => document.activeElement.getAttribute("data-focus"));
  await host.page.clock.runFor(6_000);
  await until(host, "the change", async () =>
    /1 failed, 1 cancelled, 4 successful/.test(await host.text()),
  );
  assert.equal(
    await host.frame.evaluate(() => document.querySelector("h1") === window.heading),
    true,
    "the head was redrawn",
  );
  if (
    await host.frame.evaluate(
      (key) =>
        [...document.querySelectorAll("[data-focus]")].some((node) => node.dataset.focus === key),
      held,
    )
  ) {
    assert.equal(
      await host.frame.evaluate(() => document.activeElement.getAttribute("data-focus")),
      held,
    );
  } else
    assert.equal(
      await host.frame.evaluate(() => document.activeElement.className),
      "region region-builds",
    );
  assert.equal(
    await host.frame.evaluate(() => document.querySelector(".status-line").innerText.trim()),
    "Build Rocket » bench: successful (was in progress).",
  );
  await host.page.clock.runFor(11_000);
  const [told] = await until(
    host,
    "the model's context",
    async () =>
      (await host.sent("ui/update-model-context")).length === 1 &&
      host.sent("ui/update-model-context"),
  );
  const text = told.params.content[0].text;
  assert.match(text, /^On screen: pull request ACME\/rocket #42 "Faster ignition/);
  assert.match(text, /Build Rocket » bench: successful/);
  assert.ok([...text].length <= 1_000);
  await host.close();
});
