// Without a mouse, without eyes, without motion, from the right to the left: every kind.
//
// axe-core runs in the frame itself. Start at audit().

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { measure } from "./measure.mjs";
import {
  drawing,
  drawingKinds,
  drawingNames,
  initialized,
  openBrowser,
  openFrame,
  resultWith,
  until,
} from "./support.mjs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const NOW = Date.parse("2026-11-30T09:46:00Z");
// What is larger draws more of the same, and takes axe seconds.
const MAX_BYTES = 60_000;
let browser;

before(async () => (browser = await openBrowser()));
after(() => browser.close());

const OFFERS = {
  kinds: ["pull_request", "pull_requests", "diff", "commits", "builds"],
  tools: [
    "get_pull_request",
    "add_pr_comment",
    "update_pr_comment",
    "submit_pr_review",
    "merge_pull_request",
    "decline_pull_request",
  ],
};
const view = (kind, name, changes = {}) => ({
  ...drawing(kind, name),
  motion: "still",
  offers: OFFERS,
  ...changes,
});

async function open(first, { displayMode = "fullscreen", tools, ...given } = {}) {
  const host = await openFrame(browser.context, {
    clock: NOW,
    tools,
    width: displayMode === "fullscreen" ? 1200 : 720,
    initialize: initialized({
      displayMode,
      timeZone: "UTC",
      availableDisplayModes: ["inline", "fullscreen"],
      capabilities: { serverTools: {}, openLinks: {} },
    }),
    ...given,
  });
  if (first) {
    await host.notify("ui/notifications/tool-result", resultWith(first));
    await host.frame.waitForSelector("h1");
  }
  return host;
}

/** What axe-core finds in the frame as it is, in a line each. Contrast is measured for every drawing elsewhere. */
function audit() {
  const rules = { "color-contrast": { enabled: false } };
  return globalThis.axe
    .run(document, { rules, resultTypes: ["violations"], elementRef: false })
    .then(({ violations }) =>
      violations.flatMap(({ id, help, nodes }) =>
        nodes.slice(0, 2).map((node) => `${id}: ${help}: ${node.html.slice(0, 160)}`),
      ),
    );
}

for (const kind of drawingKinds())
  test(`axe-core finds nothing in any drawing of ${kind}`, async () => {
    const names = drawingNames(kind).filter(
      (name) => JSON.stringify(drawing(kind, name).facts).length < MAX_BYTES,
    );
    assert.ok(names.length >= 3);
    const host = await open(null, { clock: null });
    await host.frame.evaluate(AXE);
    let at = NOW;
    for (const name of names) {
      at += 1_000;
      const read_at = new Date(at).toISOString();
      await host.notify("ui/notifications/tool-result", resultWith(view(kind, name, { read_at })));
      await until(host, name, () =>
        host.frame.evaluate(
          (wanted) => document.querySelector(".foot time")?.dateTime === wanted,
          read_at,
        ),
      );
      assert.deepEqual(await host.frame.evaluate(audit), [], name);
    }
    await host.close();
  });

test("axe-core finds nothing where no drawing is, and where somebody writes", async () => {
  const host = await open(null, { clock: null });
  await host.frame.evaluate(AXE);
  assert.deepEqual(await host.frame.evaluate(audit), [], "waiting");
  await host.notify("ui/notifications/tool-result", {
    isError: true,
    content: [{ type: "text", text: "No pull request 7." }],
  });
  await host.frame.waitForSelector("text=could not be read");
  assert.deepEqual(await host.frame.evaluate(audit), [], "failed");
  await host.notify("ui/notifications/tool-result", resultWith(view("pull_request", "world-ready")));
  await host.frame.waitForSelector("[data-focus='open merge']");
  await host.frame.click("[data-focus='open merge']");
  await host.frame.click("[data-focus='open comment']");
  await host.frame.waitForSelector("textarea");
  assert.deepEqual(await host.frame.evaluate(audit), [], "writing");
  await host.close();
});

test("the keyboard alone leads from the list to a pull request, to its diff, and back", async () => {
  const host = await open(view("pull_requests", "open"), {
    tools: ["pull_request/world-open", "diff/world-comments"].map((path) => ({
      result: resultWith(view(...path.split("/"))),
    })),
  });
  const focused = () =>
    host.frame.evaluate(() => document.activeElement.getAttribute("data-focus"));
  /** Goes on by Tab until this has the focus; everything on the way shows that it has it. */
  const tabTo = async (key) => {
    for (let presses = 0; presses < 150; presses += 1) {
      await host.page.keyboard.press("Tab");
      const found = await host.frame.evaluate(() => {
        const node = document.activeElement;
        const { outlineStyle, outlineWidth } = getComputedStyle(node);
        const isSeen = outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 1;
        return [node.getAttribute("data-focus"), isSeen || node === document.body, node.outerHTML.slice(0, 120)];
      });
      assert.ok(found[1], `the focus cannot be seen on ${found[2]}`);
      if (found[0] === key) return;
    }
    assert.fail(`no Tab leads to ${key}`);
  };
  await host.frame.evaluate(() => document.querySelector("main button, main a").focus());
  await tabTo("open #42");
  await host.page.keyboard.press("Enter");
  await host.frame.waitForSelector("[data-focus='tab diff']");
  assert.equal(await focused(), "back");
  await tabTo("tab diff");
  await host.page.keyboard.press("Enter");
  await host.frame.waitForSelector(".view-diff .diff");
  assert.equal(await focused(), "back");
  await tabTo("file engine/pump.rs");
  await host.page.keyboard.press("Enter");
  await until(host, "the file", () =>
    host.frame.evaluate(() => document.querySelector("h2").innerText === "engine/pump.rs"),
  );
  assert.equal(await focused(), "file engine/pump.rs");
  await host.page.keyboard.press("Escape");
  await host.frame.waitForSelector("[data-focus='tab diff']");
  assert.equal(await focused(), "tab diff");
  await host.page.keyboard.press("Escape");
  await host.frame.waitForSelector("[data-focus='open #42']");
  assert.equal(await focused(), "open #42");
  assert.deepEqual(host.errors, []);
  await host.close();
});

test("who wants no motion sees none", async () => {
  const host = await open(null, { media: { reducedMotion: "reduce" }, clock: null });
  const moving = () =>
    host.frame.evaluate(() => {
      const styles = [...document.querySelectorAll("*")].map((node) => getComputedStyle(node));
      return styles.filter(
        ({ animationName, animationDuration, transitionDuration, scrollBehavior }) =>
          (animationName !== "none" && Number.parseFloat(animationDuration) > 0.01) ||
          transitionDuration.split(",").some((one) => Number.parseFloat(one) > 0.01) ||
          scrollBehavior === "smooth",
      ).length;
    });
  assert.equal(await moving(), 0, "waiting");
  for (const kind of drawingKinds()) {
    const [name] = drawingNames(kind);
    await host.notify("ui/notifications/tool-result", resultWith(view(kind, name)));
    await host.frame.waitForSelector(".foot time");
    assert.equal(await moving(), 0, kind);
  }
  await host.close();
});

test("text from the right to the left keeps to itself, and addresses of code run as ever", async () => {
  const ARABIC = "أشعل المحرك #42 (v2) بسرعة";
  const samples = {
    pull_request: "world-open",
    pull_requests: "open",
    diff: "world-comments",
    commits: "pull-request",
    builds: "every-state",
  };
  for (const [kind, name] of Object.entries(samples))
    for (const displayMode of ["inline", "fullscreen"]) {
      const turned = view(kind, name);
      const texts = new Set(["title", "subject", "display_name", "branch", "summary", "detail"]);
      turned.facts = JSON.parse(JSON.stringify(turned.facts), (key, value) =>
        texts.has(key) && typeof value === "string" ? ARABIC : value,
      );
      const host = await open(turned, { displayMode });
      const found = await host.frame.evaluate((text) => {
        const walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
        const wrong = [];
        let count = 0;
        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
          if (!node.data.includes(text)) continue;
          if (node.parentElement.closest(".unseen, .initials")) continue;
          count += 1;
          const { direction, unicodeBidi } = getComputedStyle(node.parentElement);
          // Alone in what holds it, or kept apart from what stands around it.
          const isApart = /isolate|plaintext/.test(unicodeBidi) || direction === "rtl";
          if (!isApart) wrong.push(node.parentElement.outerHTML.slice(0, 200));
        }
        const code = [...document.querySelectorAll("main pre, main .diff td code")];
        return {
          count,
          wrong,
          turned: code.filter((node) => getComputedStyle(node).direction !== "ltr").length,
        };
      }, ARABIC);
      if (kind !== "builds") assert.ok(found.count > 0, kind);
      assert.deepEqual(found.wrong, [], `${kind}, ${displayMode}`);
      assert.equal(found.turned, 0, kind);
      assert.deepEqual((await host.frame.evaluate(measure)).wide, [], kind);
      await host.close();
    }
});
