// Twenty minutes of each motion on a clock that the test moves: how often a view asks, and that those behind it rest.
//
// Start at pass().

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { arrived, drawing, initialized, openBrowser, openFrame, resultWith, until } from "./support.mjs";

const START = Date.parse("2026-11-30T10:00:00Z");
const STEP_MS = 5_000;
const KINDS = ["pull_request", "pull_requests", "diff", "commits", "builds"];
const SAMPLES = {
  pull_request: "world-open",
  pull_requests: "open",
  diff: "world-small",
  commits: "pull-request",
  builds: "running",
};
let browser;

before(async () => (browser = await openBrowser()));
after(() => browser.close());

/** A drawing read just now, so that its age asks for nothing. */
function view(kind, motion, at = START) {
  const read_at = new Date(at).toISOString();
  return { ...drawing(kind, SAMPLES[kind]), motion, read_at, offers: { kinds: KINDS, tools: [] } };
}

const unchanged = (motion) => ({
  result: {
    content: [],
    _meta: {
      "bb/view": { format: 1, unchanged: true, read_at: new Date(START).toISOString(), motion },
    },
  },
});

async function open(first, tools) {
  const capabilities = { serverTools: {} };
  const host = await openFrame(browser.context, {
    clock: START,
    tools,
    initialize: initialized({ capabilities }),
  });
  await host.notify("ui/notifications/tool-result", resultWith(first));
  await host.frame.waitForSelector("h1");
  return host;
}

/** Lets this many minutes pass; what is asked in a step is answered before the next. */
async function pass(host, minutes) {
  for (let passed = 0; passed < minutes * 60_000; passed += STEP_MS) {
    await host.page.clock.runFor(STEP_MS);
    await arrived(host.page, host.frame);
  }
}

/** The seconds between one call and the next. */
async function gaps(host, from = START) {
  const calls = await host.sent("tools/call");
  return calls.map(({ at }, nth) => Math.round((at - (calls[nth - 1]?.at ?? from)) / 1_000));
}

test("moving, it asks every five seconds", async () => {
  const host = await open(view("builds", "moving"), [unchanged("moving")]);
  await pass(host, 20);
  const found = await gaps(host);
  // The machine's own seconds pass as well, and an answer may take one of them.
  assert.ok(found.length >= 150 && found.length <= 260, `${found.length} calls`);
  assert.ok(found.slice(1).every((gap) => gap >= 5), `${found}`);
  await host.close();
});

test("quiet, it asks after 15 s, then after twice as long each time, up to five minutes", async () => {
  const host = await open(view("pull_requests", "quiet"), [unchanged("quiet")]);
  await pass(host, 20);
  const expected = [15, 30, 60, 120, 240, 300, 300];
  const found = await gaps(host);
  assert.equal(found.length, expected.length, `${found}`);
  found.forEach((gap, nth) => assert.ok(gap >= expected[nth] - 1 && gap <= expected[nth] + 12, `${found}`));
  await host.close();
});

for (const [what, motion, act] of [
  ["still", "still", async () => {}],
  [
    "hidden",
    "moving",
    (host) =>
      host.frame.evaluate(() => {
        Object.defineProperty(document, "visibilityState", { configurable: true, get: () => "hidden" });
        document.dispatchEvent(new Event("visibilitychange"));
      }),
  ],
  ["torn down", "moving", (host) => host.send({ jsonrpc: "2.0", id: 9, method: "ui/resource-teardown" })],
])
  test(`${what}, it asks nothing, whatever kind it is`, async () => {
    for (const kind of KINDS) {
      const host = await open(view(kind, motion), [unchanged(motion)]);
      await act(host);
      await host.log();
      await host.page.clock.runFor(20 * 60_000);
      assert.deepEqual(await host.sent("tools/call"), [], kind);
      await host.close();
    }
  });

test("told to wait for longer than a timer can, it waits for a day and does not flood", async () => {
  const refused = {
    result: {
      isError: true,
      content: [{ type: "text", text: "Bitbucket answered 429." }],
      _meta: { "bb/view": { format: 1, retry_after_ms: 2_592_000_000 } },
    },
  };
  const host = await open(view("builds", "moving"), [refused]);
  await pass(host, 20);
  assert.equal((await host.sent("tools/call")).length, 1);
  await host.close();
});

test("a drawing of which a part was refused for a rate waits as told, whether it changed or not", async () => {
  const limited = (wait_ms) => {
    const told = unchanged("moving");
    told.result._meta["bb/view"].retry_after_ms = wait_ms;
    return told;
  };
  const first = { ...view("builds", "moving"), retry_after_ms: 90_000 };
  const host = await open(first, [limited(60_000), unchanged("moving")]);
  await pass(host, 3);
  const [one, two, three] = await gaps(host);
  assert.ok(one >= 90 && one <= 96, `${one}`);
  assert.ok(two >= 60 && two <= 66, `${two}`);
  assert.ok(three >= 5 && three <= 11, `${three}`);
  await host.close();
});

test("seen again, a hidden view asks once and then by its motion", async () => {
  const host = await open(view("builds", "moving"), [unchanged("moving")]);
  const turn = (state) =>
    host.frame.evaluate((given) => {
      Object.defineProperty(document, "visibilityState", { configurable: true, get: () => given });
      document.dispatchEvent(new Event("visibilitychange"));
    }, state);
  await turn("hidden");
  await host.page.clock.runFor(20 * 60_000);
  await turn("visible");
  await until(host, "one question", async () => {
    await host.page.clock.runFor(10);
    return (await host.sent("tools/call")).length > 0;
  });
  await pass(host, 0.5);
  const calls = await host.sent("tools/call");
  assert.ok(calls.length >= 3 && calls.length <= 8, `${calls.length} calls`);
  await host.close();
});

test("of a view opened in place alone is asked, and the one behind it once the person is back", async () => {
  const list = view("pull_requests", "moving");
  const host = await open(list, [
    { result: resultWith(view("pull_request", "quiet")) },
    unchanged("quiet"),
  ]);
  await host.frame.click("[data-focus='open #42']");
  await host.frame.waitForSelector("[data-focus='tab diff']");
  await pass(host, 20);
  const opened = await host.sent("tools/call");
  assert.ok(opened.every(({ params }) => params.arguments.show.kind === "pull_request"));
  assert.equal(opened.length, 1 + 7);
  await host.frame.click("[data-focus=back]");
  await host.frame.waitForSelector("[data-focus='open #42']");
  const after_ = await until(host, "a question for the list", async () => {
    await host.page.clock.runFor(500);
    const calls = (await host.sent("tools/call")).slice(opened.length);
    return calls.length > 0 && calls;
  });
  assert.deepEqual(after_[0].params.arguments, { show: list.show, fingerprint: list.fingerprint });
  assert.ok(after_[0].at - opened.at(-1).at < 300_000);
  await host.close();
});

test("where what was opened cannot be read, neither it nor the one behind it is asked for", async () => {
  const refusal = { isError: true, content: [{ type: "text", text: "No pull request 42." }] };
  const host = await open(view("pull_requests", "moving"), [{ result: refusal }]);
  await host.frame.click("[data-focus='open #42']");
  await host.frame.waitForSelector("text=could not be read");
  await pass(host, 2);
  await host.page.clock.runFor(18 * 60_000);
  assert.equal((await host.sent("tools/call")).length, 1);
  await host.close();
});
