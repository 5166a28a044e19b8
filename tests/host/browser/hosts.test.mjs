// The page in the official AppBridge, framed and sandboxed as hosts do.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openBridge as bridgeIn } from "./bridge.mjs";
import {
  POLICY_OF_INSPECTOR,
  POLICY_OF_SPECIFICATION,
  drawing,
  openBrowser,
  resultWith,
  until,
} from "./support.mjs";

let browser;

before(async () => {
  browser = await openBrowser();
});
after(() => browser.close());

/** The page in this file's browser. */
const openBridge = (options) => bridgeIn(browser.context, options);

for (const [name, policy] of [
  ["the specification's policy", POLICY_OF_SPECIFICATION],
  ["Inspector's policy, data: pictures blocked", POLICY_OF_INSPECTOR],
]) {
  for (const sandbox of [
    "allow-scripts",
    "allow-scripts allow-forms",
    "allow-scripts allow-same-origin allow-forms",
  ]) {
    test(`a card is drawn, avatars included, under ${name} in a frame with ${sandbox}`, async () => {
      const host = await openBridge({ policy, sandbox });
      const card = drawing("pull_request", "busiest-open");
      await host.input(card.show);
      await host.result(resultWith(card));
      await host.frame.waitForSelector("h1:has-text('Faster ignition')");
      const painted = Object.keys(card.dressing.avatars).length;
      await until(host, "the avatars", () =>
        host.frame.evaluate(
          (n) =>
            new Set(
              [...document.querySelectorAll("canvas")].map(
                (node) => node.parentElement.dataset.avatar,
              ),
            ).size >=
            n - 1,
          painted,
        ),
      );
      const isPainted = await host.frame.evaluate(
        () => document.querySelector("canvas").getContext("2d").getImageData(32, 32, 1, 1).data[3],
      );
      assert.equal(isPainted, 255);
      await until(host, "the frame to be as high as the card", () =>
        host.page.evaluate(() =>
          window.seen.sizes.some(([, height]) => height > 400 && height <= 640),
        ),
      );
      assert.deepEqual(host.errors, []);
      await host.page.close();
    });
  }
}

test("a host that takes _meta away has the page ask once, with the arguments it was given", async () => {
  const card = drawing("pull_request", "merged");
  const host = await openBridge({ policy: POLICY_OF_SPECIFICATION, calls: () => resultWith(card) });
  await host.input(card.show);
  await host.result({ content: [{ type: "text", text: "Pull request 38 of ACME/rocket." }] });
  await host.frame.waitForSelector("h1:has-text('Measure chamber pressure')");
  assert.deepEqual(await host.seen("calls"), [
    { name: "refresh_view", arguments: { show: card.show } },
  ]);
  await host.page.close();
});

test("a pressed link goes through the host, and its address stands beside it", async () => {
  const card = drawing("pull_request", "busiest-open");
  const host = await openBridge({ policy: POLICY_OF_SPECIFICATION });
  await host.result(resultWith(card));
  await host.frame.click("text=Rocket » main");
  await until(host, "the link", async () => (await host.seen("links")).length === 1);
  assert.deepEqual(await host.seen("links"), ["https://ci.example.com/job/rocket-main-318"]);
  assert.equal(
    await host.frame.textContent(".address-text"),
    "https://ci.example.com/job/rocket-main-318",
  );
  assert.equal(host.frame.url(), "about:srcdoc");
  await host.page.close();
});

test("fullscreen is asked of the host, and shows everything that the result carries", async () => {
  const card = drawing("pull_request", "many-reviewers");
  const host = await openBridge({ policy: POLICY_OF_SPECIFICATION });
  await host.result(resultWith(card));
  await host.frame.waitForSelector(".region-reviewers");
  assert.ok((await host.frame.locator(".people .row").count()) < 60);
  await host.frame.click("text=Fullscreen");
  await until(
    host,
    "all reviewers",
    async () => (await host.frame.locator(".people .row").count()) === 60,
  );
  assert.equal(
    await host.frame.locator(".region-builds .row").count(),
    card.facts.builds.listed.length,
  );
  assert.match(await host.text(), /Showing 40 of 131/);
  await host.frame.click("text=Exit fullscreen");
  await until(
    host,
    "inline again",
    async () => (await host.frame.locator(".people .row").count()) < 60,
  );
  assert.deepEqual(await host.seen("modes"), ["fullscreen", "inline"]);
  await host.page.close();
});

test("teardown is answered and nothing runs after it", async () => {
  const card = drawing("pull_request", "busiest-open");
  const host = await openBridge({ policy: POLICY_OF_SPECIFICATION, calls: () => resultWith(card) });
  await host.result(resultWith(card));
  await host.frame.waitForSelector("h1:has-text('Faster')");
  await host.page.evaluate(() => window.host.teardownResource({}));
  const calls = (await host.seen("calls")).length;
  await host.frame.evaluate(() => document.querySelector("[data-focus=again]").click());
  await host.frame.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
  assert.equal((await host.seen("calls")).length, calls);
  await host.page.close();
});

test("the browser itself refuses a string as HTML, whatever the host's policy", async () => {
  const host = await openBridge({ policy: null });
  const refused = await host.frame.evaluate(() => {
    const tries = {
      inner: () => {
        document.querySelector("main").innerHTML = "<b>x</b>";
      },
      outer: () => {
        document.querySelector("main").outerHTML = "<b>x</b>";
      },
      adjacent: () => document.body.insertAdjacentHTML("beforeend", "<b>x</b>"),
      written: () => document.write("<b>x</b>"),
      parsed: () => new DOMParser().parseFromString("<b>x</b>", "text/html"),
      policy: () => trustedTypes.createPolicy("any", { createHTML: (text) => text }),
    };
    return Object.entries(tries)
      .filter(([, attempt]) => {
        try {
          attempt();
          return false;
        } catch {
          return true;
        }
      })
      .map(([name]) => name);
  });
  assert.deepEqual(refused, ["inner", "outer", "adjacent", "written", "parsed", "policy"]);
  await host.page.close();
});
