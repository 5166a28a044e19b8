// The page from the real bb in real hosts, its calls answered by the real bb, on a stand-in that moves (contract 4.4).
//
// Nothing here is a drawing from a file. Start at open(); the last suite is a whole foreign host.

import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, suite, test } from "node:test";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { server, startStandin, textOf } from "../support.mjs";
import { openBridge } from "./bridge.mjs";
import {
  POLICY_OF_INSPECTOR,
  POLICY_OF_SPECIFICATION,
  initialized,
  openBrowser,
  openFrame,
  until,
} from "./support.mjs";

const RENDERS = {
  extensions: { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html;profile=mcp-app"] } },
};
const MINUTE = 60_000;

/** The busiest pull request, a build of which runs. */
const BUSY = { kind: "pull_request", project: "ACME", repo: "rocket", id: 42 };
const MERGED = { ...BUSY, id: 41 };
const APPROVAL = {
  step: "review",
  repository: "ACME/rocket",
  id: 42,
  user: "tomas.lindqvist",
  status: "APPROVED",
};

let browser;
let standin;
let client;
/** What this test's views called, in order, with what came. */
let calls;
let pages;

before(async () => (browser = await openBrowser()));
after(() => browser.close());
beforeEach(async () => {
  standin = await startStandin();
  client = new Client({ name: "bb-tests", version: "1" }, { capabilities: RENDERS });
  await client.connect(new StdioClientTransport({ ...server(standin), stderr: "inherit" }));
  calls = [];
  pages = [];
});
afterEach(async () => {
  await Promise.all(pages.map((page) => page.close()));
  await client.close();
  await standin.stop();
});

const show = (args) => client.callTool({ name: "show", arguments: args });

/** What a host does with a view's call: hands it to the server. */
function handOnTo(server_, told) {
  return async ({ name, arguments: args }) => {
    const result = await server_.callTool({ name, arguments: args });
    told.push({ name, arguments: args, view: result._meta?.["bb/view"] });
    return result;
  };
}

/** The page in AppBridge with what `show` brings, on a clock that the test moves. */
async function open(args, { change = (result) => result, policy = POLICY_OF_SPECIFICATION } = {}) {
  const host = await openBridge(browser.context, {
    policy,
    calls: handOnTo(client, calls),
    clock: Date.now(),
  });
  pages.push(host.page);
  const result = await show(args);
  await host.input(args);
  await host.result(change(result));
  return { host, result };
}

const drawn = (host, title) =>
  until(host, `the card of ${title}`, () =>
    host.frame.evaluate((words) => document.querySelector("h1")?.innerText === words, title),
  );

const BUSY_TITLE = "Light the engine with a real igniter";

suite("the page on the real server", () => {
  for (const [name, policy] of [
    ["the specification's policy", POLICY_OF_SPECIFICATION],
    ["data: pictures blocked", POLICY_OF_INSPECTOR],
  ]) {
    test(`a result is drawn, pictures included, with ${name}`, async () => {
      const { host, result } = await open(BUSY, { policy });
      await drawn(host, BUSY_TITLE);
      const text = await host.text();
      for (const words of ["2 failed builds", "Mira Solano", "ci/test", "Write down the lowest"])
        assert.ok(text.includes(words), text);
      assert.ok(Object.keys(result._meta["bb/view"].dressing.avatars).length >= 4);
      await until(host, "painted pictures", () =>
        host.frame.evaluate(() =>
          [...document.querySelectorAll("canvas")].some(
            (node) => node.getContext("2d").getImageData(32, 32, 1, 1).data[3] === 255,
          ),
        ),
      );
      assert.ok(textOf(result).length <= 600);
      assert.deepEqual(host.errors, []);
    });
  }

  test("an approval in between redraws that reviewer alone, and keeps focus and scroll", async () => {
    const { host } = await open(BUSY);
    await drawn(host, BUSY_TITLE);
    await host.frame.click("[data-focus='grow reviewers']");
    // A frame that does not grow with the view, so that the person scrolls in it.
    await host.page.evaluate(() => {
      document.querySelector("iframe").style.maxHeight = "300px";
    });
    await host.frame.evaluate(() => {
      scrollTo(0, 120);
      document.querySelector("[data-focus='grow builds']").focus({ preventScroll: true });
      for (const node of document.querySelectorAll("main *")) node.wasThere = true;
    });
    await until(host, "the scrolling", () => host.frame.evaluate(() => scrollY === 120));
    await standin.step(APPROVAL);
    await host.page.clock.runFor(5_100);
    await until(host, "the approval", async () => /2 of 4 approved/.test(await host.text()));
    const after_ = await host.frame.evaluate(() => ({
      scroll: scrollY,
      focus: document.activeElement.getAttribute("data-focus"),
      regions: [...document.querySelectorAll("main .region")]
        .filter((node) => !node.wasThere && !node.matches(".region-foot"))
        .map((node) => node.className),
      rows: [...document.querySelectorAll("main .row")]
        .filter((node) => !node.wasThere)
        .map((node) => node.querySelector(".row-line").innerText),
    }));
    assert.deepEqual(after_, {
      scroll: 120,
      focus: "grow builds",
      // The approval is one entry more of the activity, which its head counts.
      regions: ["region region-reviewers", "region region-activity-head"],
      rows: ["Tomas Lindqvist"],
    });
    assert.equal(calls.length, 1);
    assert.notEqual(calls[0].view.fingerprint, calls[0].arguments.fingerprint);
    assert.equal(await host.frame.textContent(".status-line"), "Tomas Lindqvist approved.");
    await until(host, "the word to the model", async () => {
      await host.page.clock.runFor(10_000);
      return (await host.seen("contexts")).length > 0;
    });
    assert.match((await host.seen("contexts"))[0].content[0].text, /Tomas Lindqvist approved/);
  });

  test("while nothing changes, each answer says so in a few bytes and nothing is redrawn", async () => {
    const { host } = await open(BUSY);
    await drawn(host, BUSY_TITLE);
    await host.frame.evaluate(() => {
      for (const node of document.querySelectorAll("main .region")) node.wasThere = true;
    });
    for (const times of [1, 2, 3]) {
      await host.page.clock.runFor(5_100);
      await until(host, `call ${times}`, () => calls.length >= times);
    }
    assert.ok(calls.every(({ view }) => view.unchanged === true), JSON.stringify(calls));
    const redrawn = await host.frame.evaluate(() =>
      [...document.querySelectorAll("main .region")]
        .filter((node) => !node.wasThere)
        .map((node) => node.className),
    );
    assert.ok(redrawn.every((name) => name === "region region-foot"), redrawn.join());
  });

  test("a host that takes _meta away has the page ask once, and it draws that", async () => {
    const { host } = await open(BUSY, { change: ({ content }) => ({ content }) });
    await drawn(host, BUSY_TITLE);
    assert.deepEqual(
      calls.map(({ name, arguments: args }) => ({ name, args })),
      [{ name: "refresh_view", args: { show: BUSY } }],
    );
  });

  test("a merge ends the asking, and a merged one is never asked for", async () => {
    const { host } = await open(MERGED);
    await drawn(host, "Read the newest sample");
    await host.page.clock.runFor(60 * MINUTE);
    assert.deepEqual(calls, []);

    const quiet = { ...BUSY, id: 54 };
    const { host: other } = await open(quiet);
    await until(other, "the card", () => other.frame.locator("h1").count());
    await standin.step({
      step: "merge",
      repository: "ACME/rocket",
      id: 54,
      user: "mira.solano",
    });
    await other.page.clock.runFor(16_000);
    await until(other, "the merge", async () => /Merged/.test(await other.text()));
    const asked = calls.length;
    await other.page.clock.runFor(60 * MINUTE);
    assert.equal(calls.length, asked);
  });

  test("teardown ends the calls", async () => {
    const { host } = await open(BUSY);
    await drawn(host, BUSY_TITLE);
    await host.page.clock.runFor(5_100);
    await until(host, "a first call", () => calls.length === 1);
    await host.page.evaluate(() => window.host.teardownResource({}));
    await standin.step(APPROVAL);
    await host.page.clock.runFor(10 * MINUTE);
    assert.equal(calls.length, 1);
    assert.match(await host.text(), /1 of 4 approved/);
  });

  for (const [name, initialize] of [
    ["answers nothing but the handshake", initialized({ capabilities: {} })],
    ["answers not even the handshake", null],
  ]) {
    test(`in a host that ${name}, the result is drawn and nothing is asked`, async () => {
      const host = await openFrame(browser.context, {
        clock: Date.now(),
        initialize,
        requests: "silence",
      });
      pages.push(host.page);
      await host.notify("ui/notifications/tool-input", { arguments: BUSY });
      await host.notify("ui/notifications/tool-result", await show(BUSY));
      await drawn(host, BUSY_TITLE);
      await host.page.clock.runFor(20 * MINUTE);
      assert.deepEqual(await host.sent("tools/call"), []);
      assert.deepEqual(host.errors, []);
    });
  }

  test("every pull request of the world fits one screen at first", async () => {
    const high = [];
    for (const id of [39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 54, 55]) {
      const { host } = await open({ ...BUSY, id });
      await until(host, `the card of ${id}`, () => host.frame.locator("h1").count());
      const px = await host.frame.evaluate(() => {
        const clips = [...document.querySelectorAll(".clip.is-cut")].map((clip) => {
          const { bottom } = clip.getBoundingClientRect();
          const range = document.createRange();
          range.selectNodeContents(clip);
          return [...range.getClientRects()].some(
            (line) => line.height < 40 && line.top < bottom - 3 && line.bottom > bottom + 3,
          );
        });
        return {
          height: document.documentElement.getBoundingClientRect().height,
          isLineCut: clips.some(Boolean),
        };
      });
      if (px.height > 640 || px.isLineCut) high.push({ id, ...px });
      await host.page.close();
    }
    assert.deepEqual(high, []);
  });

  test("hostile text in every place is shown, and does nothing", async () => {
    const { host } = await open({ ...BUSY, id: 50 });
    await until(host, "the card", () => host.frame.locator("h1").count());
    assert.equal(await host.frame.locator("main img, main script, main form").count(), 0);
    const addresses = await host.frame.evaluate(() =>
      [...document.querySelectorAll("main a[href]")].map((node) => node.getAttribute("href")),
    );
    assert.ok(addresses.length > 0 && addresses.every((text) => /^https?:/.test(text)), `${addresses}`);
    assert.ok((await host.text()).includes("<script>"), await host.text());
    assert.deepEqual(host.errors, []);
  });
});
