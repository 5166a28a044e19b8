// Every drawing in every dress: no wider than its frame, readable, within one screen at first, harmless.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { dresses, measure } from "./measure.mjs";
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

const NOW = Date.parse("2026-11-30T09:46:00Z");
let browser;

before(async () => {
  browser = await openBrowser();
});
after(() => browser.close());

for (const [
  dress,
  { theme = "light", displayMode = "inline", variables, ...given },
] of Object.entries(dresses)) {
  for (const kind of drawingKinds()) {
    test(`every drawing of ${kind} stays inside its frame and can be read: ${dress}`, async () => {
      const host = await openFrame(browser.context, {
        ...given,
        clock: NOW,
        initialize: initialized({
          theme,
          displayMode,
          styles: { variables },
          availableDisplayModes: ["inline", "fullscreen"],
          timeZone: "UTC",
          // What a list opens in place, it opens through the host.
          capabilities: kind === "pull_request" ? { openLinks: {} } : { openLinks: {}, serverTools: {} },
        }),
      });
      let at = NOW;
      for (const name of drawingNames(kind)) {
        const view = drawing(kind, name);
        // Its own time of reading, later each time, tells that this one stands and not the one before.
        at += 1_000;
        view.read_at = new Date(at).toISOString();
        await host.notify("ui/notifications/tool-result", resultWith(view));
        await until(host, name, () =>
          host.frame.evaluate(
            (read) => document.querySelector(".foot time")?.dateTime === read,
            view.read_at,
          ),
        );
        const found = await host.frame.evaluate(measure);
        assert.deepEqual(found.wide, [], `${name}: wider than the frame`);
        assert.deepEqual(found.pale, [], `${name}: hard to read`);
        assert.deepEqual(found.small, [], `${name}: targets under 24 px`);
        assert.deepEqual(found.foreign, [], `${name}: elements that nobody draws`);
        assert.equal(found.nameless, 0, `${name}: a control without a name`);
        assert.equal(found.headings, 1, `${name}: one h1`);
        if (dress === "light, 720 px")
          assert.ok(found.height <= 640, `${name}: ${found.height} px high at first`);
      }
      assert.deepEqual(host.errors, []);
      await host.close();
    });
  }
}

test("what needs the person is on the card at first, with no click", async () => {
  const host = await openFrame(browser.context, { clock: NOW });
  await host.notify(
    "ui/notifications/tool-result",
    resultWith(drawing("pull_request", "busiest-open")),
  );
  await host.frame.waitForSelector(".needs");
  const text = await host.text();
  for (const words of [
    "1 failed build",
    "Mira Castellanos requested changes",
    "3 open tasks",
    "Requires approvals",
    "You still need 1 approval",
    "Rocket » main",
    "Required by main: 1 of 3 successful",
  ]) {
    assert.ok(text.includes(words), `"${words}" is not in: ${text}`);
  }
  await host.close();
});

test("a part that was not read or does not fit says so beside its count, and a count is the count", async () => {
  const view = drawing("pull_request", "busiest-open");
  const { builds, reviewers, tasks, merge_checks: checks } = view.facts;
  builds.listed = [];
  builds.required = null;
  builds.list_unread = "Cannot list the builds of commit c0ffee: Bitbucket answered 500.";
  tasks.listed = [];
  tasks.list_unread = "Cannot list the tasks: Bitbucket answered 500.";
  reviewers.listed = [];
  checks.left_out = 441;
  const host = await openFrame(browser.context, {
    clock: NOW,
    initialize: initialized({ displayMode: "fullscreen" }),
  });
  await host.notify("ui/notifications/tool-result", resultWith(view));
  await host.frame.waitForSelector(".needs");
  const text = await host.text();
  const vetoes = checks.vetoes.length;
  const issues = vetoes + 441 + (checks.conflicted ? 1 : 0);
  for (const words of [
    builds.list_unread,
    tasks.list_unread,
    `Showing 0 of ${builds.count.n}`,
    `Showing 0 of ${reviewers.count.n}`,
    `Showing 0 of ${tasks.open.n}`,
    `${issues} issues preventing merge`,
    `Showing ${vetoes} of ${vetoes + 441}: see Bitbucket`,
  ])
    assert.ok(text.includes(words), `"${words}" is not in: ${text}`);
  assert.doesNotMatch(text, /No builds|No reviewers/);
  assert.deepEqual(host.errors, []);
  await host.close();
});

test("a view grows by a step where the person asks, and says how many there are", async () => {
  const host = await openFrame(browser.context, { clock: NOW });
  await host.notify(
    "ui/notifications/tool-result",
    resultWith(drawing("pull_request", "many-reviewers")),
  );
  const rows = host.frame.locator(".people .row");
  await host.frame.waitForSelector(".people");
  const first = await rows.count();
  assert.match(await host.text(), new RegExp(`Showing ${first} of 60`));
  await host.frame.click("[aria-label='Show more reviewers']");
  assert.equal(await rows.count(), first + 10);
  assert.equal(
    await host.frame.evaluate(() => document.activeElement.getAttribute("aria-label")),
    "Show more reviewers",
  );
  const before = await host.frame.evaluate(
    () => document.querySelector(".clip").getBoundingClientRect().height,
  );
  await host.frame.click("text=Show more of the description");
  const after_ = await host.frame.evaluate(
    () => document.querySelector(".clip").getBoundingClientRect().height,
  );
  assert.ok(after_ > before);
  await host.close();
});

test("hostile text is shown, never obeyed", async () => {
  const host = await openFrame(browser.context, { clock: NOW });
  const dialogs = [];
  host.page.on("dialog", (dialog) => {
    dialogs.push(dialog.message());
    dialog.dismiss();
  });
  await host.notify("ui/notifications/tool-result", resultWith(drawing("pull_request", "hostile")));
  await host.frame.waitForSelector("h1");
  const found = await host.frame.evaluate(() => ({
    title: document.querySelector("h1").innerText,
    marks: [...document.querySelectorAll("h1 .sign")].map((node) => [node.innerText, node.title]),
    links: [...document.querySelectorAll("a[href]")].map((node) => new URL(node.href).protocol),
    attributes: [...document.querySelectorAll("main *")]
      .flatMap((node) => node.getAttributeNames())
      .filter((name) => name.startsWith("on") || name === "src"),
    raw: /[\u202a-\u202e\u2066-\u2069\u200b]/.test(
      document.querySelector("main").innerHTML + document.title,
    ),
  }));
  assert.match(found.title, /<script>alert\(1\)<\/script>/);
  assert.deepEqual(found.marks[0], ["RLO", "right-to-left override"]);
  assert.ok(
    found.links.length > 0 &&
      found.links.every((protocol) => protocol === "https:" || protocol === "http:"),
  );
  assert.deepEqual(found.attributes, []);
  assert.equal(found.raw, false);
  assert.deepEqual(dialogs, []);
  await host.close();
});

test("a tree a thousand deep, and one of many thousand nodes, are drawn and said to be cut", async () => {
  const host = await openFrame(browser.context, { clock: NOW });
  const card = drawing("pull_request", "no-description");
  await host.page.evaluate((given) => {
    let deep = ["p", {}, "the bottom"];
    for (let depth = 0; depth < 1_000; depth += 1) deep = ["blockquote", {}, deep];
    given.facts.description = { nodes: [deep] };
    window.bbHost.send({
      jsonrpc: "2.0",
      method: "ui/notifications/tool-result",
      params: { content: [], _meta: { "bb/view": given } },
    });
  }, card);
  await host.frame.waitForSelector("text=the bottom");
  card.facts.description = { nodes: Array.from({ length: 25_000 }, () => ["p", {}, "x"]) };
  await host.notify(
    "ui/notifications/tool-result",
    resultWith({ ...card, fingerprint: "another" }),
  );
  await host.frame.waitForSelector("text=the rest is not drawn");
  await host.close();
});

test("code in texts has its colours: a fence, and the lines of a thread, and a suggestion is called one", async () => {
  const host = await openFrame(browser.context, {
    clock: NOW,
    width: 1200,
    initialize: initialized({ displayMode: "fullscreen", availableDisplayModes: ["inline", "fullscreen"] }),
  });
  const view = drawing("pull_request", "world-open");
  await host.notify("ui/notifications/tool-result", resultWith(view));
  const found = await until(host, "the colours", () =>
    host.frame.evaluate(() => {
      const words = (selector) =>
        [...document.querySelectorAll(selector)].map((node) => `${node.className} ${node.textContent}`);
      const fence = words(".markdown pre span");
      const lines = words(".excerpt span[class^=code-]");
      const suggested = document.querySelector("[aria-label='Suggested change']");
      return fence.length > 0 && lines.length > 0 && suggested
        ? { fence, lines, text: document.querySelector(".markdown pre").textContent, said: suggested.previousSibling.textContent }
        : null;
    }),
  );
  assert.deepEqual(found.fence, ["code-f stop"]);
  assert.equal(found.text, "pump.stop();\n");
  assert.ok(found.lines.includes("code-f Ignite"), `${found.lines}`);
  assert.equal(found.said, "Suggested change");
  // Colours that came later are put in without drawing anything anew.
  await host.frame.evaluate(() => {
    document.querySelector(".markdown pre").mark = true;
  });
  const key = await host.frame.evaluate(() => document.querySelector(".markdown pre").dataset.code);
  const newer = structuredClone(view);
  newer.dressing.fences[key] = ["k4p7"];
  newer.read_at = new Date(NOW).toISOString();
  await host.notify("ui/notifications/tool-result", resultWith(newer));
  await until(host, "the other colours", () =>
    host.frame.evaluate(() => {
      const pre = document.querySelector(".markdown pre");
      return pre.mark && pre.querySelector(".code-k")?.textContent === "pump";
    }),
  );
  // Classes that are none colour nothing and break nothing.
  for (const [at, odd] of [7, {}, [null, 7, {}]].entries()) {
    const strange = structuredClone(view);
    strange.dressing.fences[key] = odd;
    strange.read_at = new Date(NOW + 1_000 + at).toISOString();
    await host.notify("ui/notifications/tool-result", resultWith(strange));
  }
  await until(host, "the plain text", () =>
    host.frame.evaluate(() => {
      const pre = document.querySelector(".markdown pre");
      return pre.querySelector("span") === null && pre.textContent === "pump.stop();\n";
    }),
  );
  assert.deepEqual(host.errors, []);
  await host.close();
});
