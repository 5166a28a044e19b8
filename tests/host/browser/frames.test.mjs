// Frames as hosts make them: size, theme, sandbox, wishes, teardown.

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
const FRAMES = JSON.parse(readFileSync(join(ROOT, "fixtures/cases/12-frames/frames.json"), "utf8"));
let browser;

before(async () => {
  browser = await openBrowser();
});
after(() => browser.close());

const card = (changes = {}) => ({
  ...drawing("pull_request", "busiest-open"),
  read_at: new Date(START).toISOString(),
  ...changes,
});
const drawn = (host) =>
  until(host, "the card", () =>
    host.frame.evaluate(() =>
      document.querySelector("h1")?.innerText.startsWith("Faster ignition"),
    ),
  );

/** Opens a frame of the list by name. */
function open(given, options = {}) {
  const context = {
    theme: given.theme ?? undefined,
    styles: given.variables ? { variables: given.variables } : undefined,
    availableDisplayModes: given.displayModes,
  };
  const silent = given.requests === "none answered";
  return openFrame(browser.context, {
    clock: START,
    width: given.width,
    height: typeof given.height === "number" ? given.height : 300,
    sandbox: given.sandbox,
    size: given["on size-changed"] === "ignored" ? "ignore" : "follow",
    requests: silent
      ? "silence"
      : (given.requests ?? "").startsWith("open-link answered")
        ? "yes"
        : "refuse",
    initialize: initialized({ ...context, capabilities: { serverTools: {}, openLinks: {} } }),
    tools:
      given.teardown || silent
        ? [null]
        : [
            {
              result: {
                content: [],
                _meta: {
                  "bb/view": {
                    format: 1,
                    unchanged: true,
                    read_at: card().read_at,
                    motion: "quiet",
                  },
                },
              },
            },
          ],
    ...options,
  });
}

for (const given of FRAMES) {
  test(`in a frame that ${given.name}: drawn, as high as its content, nothing wider, readable, at rest`, async () => {
    const host = await open(given);
    await host.notify("ui/notifications/tool-result", resultWith(card({ motion: "quiet" })));
    await drawn(host);
    await host.page.clock.runFor(1_000);
    const told = await host.sizes();
    assert.ok(told.length >= 1 && told.length <= 6, JSON.stringify(told));
    await host.page.clock.runFor(20_000);
    assert.ok((await host.sent("tools/call")).length > 0, "the view has asked meanwhile");
    await host.page.clock.runFor(1_000);
    assert.deepEqual(await host.sizes(), told, "the size is told though nothing changed");
    const found = await host.frame.evaluate(() => {
      const probe = document.createElement("canvas").getContext("2d");
      const light = (colour) => {
        probe.fillStyle = colour;
        probe.fillRect(0, 0, 1, 1);
        const [r, g, b] = [...probe.getImageData(0, 0, 1, 1).data]
          .map((value) => value / 255)
          .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const root = document.documentElement;
      const ground = light(getComputedStyle(root).backgroundColor);
      const contrast = (selector) => {
        const text = light(getComputedStyle(document.querySelector(selector)).color);
        return (Math.max(text, ground) + 0.05) / (Math.min(text, ground) + 0.05);
      };
      return {
        height: root.getBoundingClientRect().height,
        body: document.querySelector(".slot-foot").getBoundingClientRect().bottom,
        scroll: root.scrollWidth,
        width: root.clientWidth,
        contrasts: ["h1", ".crumbs", ".row-under", ".button"].map(contrast),
        focus: document.activeElement === document.body,
        ground: getComputedStyle(root).backgroundColor,
      };
    });
    assert.ok(found.height >= found.body && found.height - found.body < 40, JSON.stringify(found));
    assert.equal(told.at(-1).height, Math.ceil(found.height));
    assert.ok(found.scroll <= found.width, JSON.stringify(found));
    assert.ok(
      found.contrasts.every((contrast) => contrast >= 4.5),
      JSON.stringify(found),
    );
    assert.ok(found.focus, "mounting took the focus");
    assert.equal(await host.page.evaluate(() => scrollY), 0);
    if (given.name === "narrow") assert.equal(found.ground, "rgb(253, 253, 253)");
    if (given.name === "nonsense theme") assert.equal(found.ground, "rgb(255, 255, 255)");
    assert.equal(
      await host.frame.locator("text=Fullscreen").count(),
      0,
      "fullscreen is offered where no host lists it",
    );
    assert.deepEqual(host.errors, []);
    await host.close();
  });
}

test("a change of theme is drawn in place", async () => {
  const host = await open(FRAMES.find((given) => given.name === "never resizes"));
  await host.notify("ui/notifications/tool-result", resultWith(card()));
  await drawn(host);
  await host.frame.evaluate(() => {
    window.heading = document.querySelector("h1");
  });
  const ground = () =>
    host.frame.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const dark = await ground();
  await host.notify("ui/notifications/host-context-changed", { theme: "light" });
  await until(host, "the light ground", async () => (await ground()) !== dark);
  assert.ok(await host.frame.evaluate(() => document.querySelector("h1") === window.heading));
  await host.close();
});

test("values that are none of their sort change nothing, nor does half of a pair", async () => {
  const variables = {
    "--color-text-primary": "12px",
    "--color-background-primary": "3em",
    "--color-text-danger": "rgb(255 235 232)",
    "--border-radius-sm": "red",
    "--font-sans": "x; color: red",
  };
  const host = await openFrame(browser.context, {
    clock: START,
    initialize: initialized({ styles: { variables } }),
  });
  await host.notify("ui/notifications/tool-result", resultWith(card()));
  await drawn(host);
  const set = await host.frame.evaluate(() =>
    [...document.documentElement.style].filter((name) => name.startsWith("--")),
  );
  assert.deepEqual(set, []);
  await host.close();
});

for (const name of ["refuses all", "silent", "says yes, does nothing"]) {
  test(`a host that ${name} changes nothing on screen, and a pressed link shows its address`, async () => {
    const host = await open(
      FRAMES.find((given) => given.name === name),
      {
        initialize: initialized({
          availableDisplayModes: ["inline", "fullscreen"],
          capabilities: { serverTools: {}, openLinks: {} },
        }),
      },
    );
    await host.notify("ui/notifications/tool-result", resultWith(card({ motion: "quiet" })));
    await drawn(host);
    const before = await host.text();
    await host.frame.click("text=Fullscreen");
    await host.page.clock.runFor(2_000);
    await until(
      host,
      "the request for fullscreen",
      async () => (await host.sent("ui/request-display-mode")).length > 0,
    );
    assert.equal(await host.text(), before);
    assert.equal((await host.sent("ui/request-display-mode")).length, 1);
    await host.frame.click("text=Open in Bitbucket");
    await host.frame.waitForSelector(".address");
    assert.equal(await host.frame.textContent(".address-text"), card().facts.address);
    await host.page.clock.runFor(2_000);
    assert.equal((await host.sent("ui/open-link")).length, 1);
    await host.close();
  });
}

test("teardown between a poll and its answer is answered at once, and nothing follows", async () => {
  const host = await open(FRAMES.find((given) => given.teardown));
  await host.notify("ui/notifications/tool-result", resultWith(card()));
  await drawn(host);
  await host.page.clock.runFor(6_000);
  const [call] = await host.sent("tools/call");
  assert.ok(call, "the view has asked");
  await host.page.clock.runFor(2_000);
  const sent = await host.page.evaluate(() => {
    window.tornAt = performance.now();
    window.bbHost.send({
      jsonrpc: "2.0",
      id: "bye",
      method: "ui/resource-teardown",
      params: { reason: "closed" },
    });
    return window.bbHost.log.length;
  });
  await until(host, "the answer", async () =>
    (await host.log()).some((message) => message.id === "bye" && message.result),
  );
  await host.page.clock.runFor(1_000);
  await host.answer(
    call.id,
    resultWith(card({ fingerprint: "late", facts: { ...card().facts, title: "Too late" } })),
  );
  await host.notify(
    "ui/notifications/tool-result",
    resultWith(card({ fingerprint: "late", facts: { ...card().facts, title: "Too late" } })),
  );
  await host.send({ jsonrpc: "2.0", id: "after", method: "ping" });
  await host.page.clock.runFor(30 * 60_000);
  assert.doesNotMatch(await host.text(), /Too late/);
  assert.equal((await host.log()).length, sent + 1, "something was sent after teardown");
  await host.close();
});

test("the keyboard alone reaches every control, and the focus is seen", async () => {
  const host = await open(FRAMES.find((given) => given.name === "measures the root"));
  await host.notify("ui/notifications/tool-result", resultWith(card()));
  await drawn(host);
  const wanted = await host.frame.evaluate(
    () =>
      [...document.querySelectorAll("a[href], button, [tabindex='0']")].filter(
        (node) => node.tabIndex >= 0 && node.checkVisibility(),
      ).length,
  );
  await host.frame.evaluate(() => document.querySelector("[data-focus]").focus());
  const reached = new Set();
  for (let presses = 0; presses < wanted + 2; presses += 1) {
    reached.add(
      await host.frame.evaluate(
        () =>
          `${document.activeElement.dataset.focus} ${getComputedStyle(document.activeElement).outlineStyle}`,
      ),
    );
    await host.page.keyboard.press("Tab");
  }
  const controls = [...reached].filter((name) => !name.startsWith("undefined"));
  assert.ok(controls.length >= wanted - 1, `${controls.length} of ${wanted}: ${controls}`);
  assert.ok(
    controls.slice(1).every((name) => name.endsWith("solid")),
    String(controls),
  );
  await host.close();
});
