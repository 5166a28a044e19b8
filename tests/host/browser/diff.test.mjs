// The diff: every drawing in every dress, what is said of files without lines, where comments stand, what is asked.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { dresses, measure } from "./measure.mjs";
import {
  drawing,
  drawingNames,
  initialized,
  openBrowser,
  openFrame,
  resultWith,
  until,
} from "./support.mjs";

const NOW = Date.parse("2026-11-30T09:46:00Z");
const NAMES = drawingNames("diff");
let browser;

before(async () => {
  browser = await openBrowser();
});
after(() => browser.close());

const context = (more) =>
  initialized({ availableDisplayModes: ["inline", "fullscreen"], timeZone: "UTC", ...more });

async function open(view, given = {}) {
  const { displayMode = "inline", ...more } = given;
  const host = await openFrame(browser.context, {
    clock: NOW,
    initialize: context({ displayMode }),
    ...more,
  });
  await host.notify("ui/notifications/tool-result", resultWith(view));
  await host.frame.waitForSelector(".view-diff");
  return host;
}

/** The first call that opens something: one that asks whether anything changed names a fingerprint. */
const opening = async (host) =>
  (await host.sent("tools/call")).find((one) => !one.params.arguments.fingerprint);

const full = { displayMode: "fullscreen", width: 1200 };
const choose = (host, path) =>
  host.frame.evaluate(
    (wanted) =>
      [...document.querySelectorAll("button.file")]
        .find((node) => node.getAttribute("data-focus") === `file ${wanted}`)
        .click(),
    path,
  );
const heading = (host) => host.frame.evaluate(() => document.querySelector("h2").innerText);
const rows = (host) =>
  host.frame.evaluate(() =>
    [...document.querySelectorAll(".diff tbody tr")].map((row) =>
      [...row.cells].map((cell) => cell.textContent),
    ),
  );

for (const [dress, { theme = "light", displayMode, variables, ...given }] of Object.entries(
  dresses,
)) {
  test(`every diff stays inside its frame and can be read: ${dress}`, async () => {
    const host = await openFrame(browser.context, {
      ...given,
      clock: NOW,
      initialize: context({ theme, displayMode, styles: { variables } }),
    });
    for (const name of NAMES.filter((one) => !/huge-later|cut|lines/.test(one))) {
      const view = { ...drawing("diff", name), fingerprint: name };
      await host.notify("ui/notifications/tool-result", resultWith(view));
      await until(host, name, () =>
        host.frame.evaluate(
          (count) => document.querySelector(".meta")?.innerText.includes(count),
          `${view.facts.count.n}`,
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

test("each file without lines says in a sentence what it is", async () => {
  const host = await open(drawing("diff", "world-kinds"), full);
  for (const [path, change, words] of [
    ["art/patch.svgz", "Modified", "A binary file: there are no lines to show."],
    ["engine/.keep", "Added", "An empty file was added."],
    ["launch/go", "Modified", "It can be run now."],
    ["docs/manual.md", "Renamed", "Renamed from docs/guide.md"],
    ["launch/pad.sh", "Moved", "Moved from tools/pad.sh"],
    ["VERSION", "Modified", "The text is the same: only the ends of lines differ"],
  ]) {
    await choose(host, path);
    assert.equal(await heading(host), path);
    const pane = await host.frame.innerText(".file-pane");
    assert.ok(pane.includes(words), `${path}: "${words}" is not in: ${pane}`);
    assert.ok(pane.includes(change), `${path}: ${change} is not in: ${pane}`);
    assert.ok(!/could not|error/i.test(pane), pane);
  }
  await host.close();
});

test("a line has no number on a side where it does not exist", async () => {
  const host = await open(drawing("diff", "world-kinds"), full);
  for (const [path, old, now] of [
    ["engine/igniter.go", "", "1"],
    ["engine/old_valve.go", "1", ""],
  ]) {
    await choose(host, path);
    const [first] = await rows(host);
    assert.deepEqual(first.slice(0, 2), [old, now], path);
    const numbers = (await rows(host)).flatMap((row) => row.slice(0, 2));
    assert.ok(!numbers.includes("0"), path);
    assert.equal(
      await host.frame.evaluate(
        () => [...document.querySelectorAll("button")].find((one) => one.textContent === "Side by side").disabled,
      ),
      true,
      `${path} is unified alone`,
    );
  }
  await host.close();
});

test("a thread stands below the line that names it, in its own column side by side", async () => {
  const host = await open(drawing("diff", "world-comments"), full);
  await choose(host, "engine/pump.rs");
  // A long file is drawn in steps, so a row may come a moment later.
  const below = (text) =>
    until(host, `the thread "${text}"`, () => belowNow(text));
  const belowNow = (text) =>
    host.frame.evaluate((wanted) => {
      const row = [...document.querySelectorAll(".line-threads")].find((one) =>
        one.textContent.includes(wanted),
      );
      if (!row) return null;
      const column = [...row.cells].findIndex((cell) => cell.textContent.includes(wanted));
      return [row.previousElementSibling.innerText.trim().split(/\s+/).slice(0, 2), column];
    }, text);
  // A comment on the old side of a line that both sides have: old 51, new 50.
  assert.deepEqual(await below("Still true, now that the valve"), [["51", "50"], 0]);
  await host.frame.click("text=Side by side");
  assert.deepEqual((await below("Still true, now that the valve"))[1], 0);
  assert.deepEqual((await below("A second thread on the same line"))[1], 1);
  const resolved = await host.frame.evaluate(() => {
    const one = document.querySelector("details.resolved");
    return [one.open, one.querySelector("summary").innerText];
  });
  assert.equal(resolved[0], false);
  assert.match(resolved[1], /Resolved\s+by Wren Okafor/);
  await choose(host, "engine/igniter.go");
  const pane = await host.frame.innerText(".file-pane");
  assert.ok(pane.indexOf("The whole file wants a header.") < pane.indexOf("package engine"));
  assert.ok(pane.includes("On lines 5 to here"));
  assert.ok(pane.includes("Pending"));
  await host.close();
});

test("threads that are not carried are counted", async () => {
  const view = drawing("diff", "world-comments");
  view.facts.files[view.facts.first].more_threads = 4;
  const host = await open(view, full);
  assert.match(await host.text(), /4 more threads in Bitbucket/);
  await host.close();
});

test("where nothing can be asked, no file is said to open", async () => {
  const view = drawing("diff", "world-cut");
  const mute = context({ displayMode: "fullscreen", capabilities: {} });
  const host = await open(view, { ...full, initialize: mute });
  const text = await host.text();
  assert.match(text, /The lines of 1 of 2 files are here\. The rest is in Bitbucket\./);
  assert.doesNotMatch(text, /opens when it is chosen/);
  await host.close();
});

test("a file whose lines did not come is asked for when it is chosen, and the model is told", async () => {
  const view = drawing("diff", "world-cut");
  const alone = structuredClone(view);
  alone.facts.first = 1;
  alone.facts.files[1] = { ...alone.facts.files[1], hunks: [{ at: [0, 1], lines: ["+the last"] }] };
  const host = await open(view, {
    displayMode: "fullscreen",
    width: 1200,
    initialize: context({
      displayMode: "fullscreen",
      capabilities: { serverTools: {}, updateModelContext: {} },
    }),
    tools: [{ result: resultWith(alone) }],
    requests: "yes",
  });
  assert.match(await host.text(), /The lines of 1 of 2 files are here/);
  await choose(host, "zz/last.txt");
  await host.frame.waitForSelector("text=the last");
  const call = await opening(host);
  assert.deepEqual(call.params, {
    name: "refresh_view",
    arguments: { show: { ...view.show, path: "zz/last.txt" } },
  });
  await host.page.clock.runFor(11_000);
  const told = await until(host, "the model's context", async () =>
    (await host.sent("ui/update-model-context")).at(-1),
  );
  assert.match(told.params.content[0].text, /the person looks at zz\/last\.txt \(added\)/);
  await host.close();
});

test("a diff that changed is offered, comments change in place", async () => {
  const view = drawing("diff", "world-comments");
  const commented = structuredClone(view);
  commented.fingerprint = "commented";
  commented.facts.files[2].file_threads[0].comments[0].text = { nodes: [["p", {}, "Written anew."]] };
  const changed = structuredClone(commented);
  changed.fingerprint = "changed";
  changed.facts.to_commit = "f".repeat(40);
  changed.facts.files[2].hunks[0].lines[0] = "+package other";
  const host = await open(view, {
    displayMode: "fullscreen",
    width: 1200,
    tools: [{ result: resultWith(commented) }, { result: resultWith(changed) }],
    initialize: context({ displayMode: "fullscreen" }),
  });
  await choose(host, "engine/igniter.go");
  await host.page.clock.runFor(16_000);
  await host.frame.waitForSelector("text=Written anew.");
  await host.page.clock.runFor(31_000);
  await host.frame.waitForSelector("text=This has changed in Bitbucket since.");
  assert.match(await host.text(), /package engine/);
  await host.frame.click("text=Show the newer state");
  await host.frame.waitForSelector("text=package other");
  assert.equal(await heading(host), "engine/igniter.go");
  assert.doesNotMatch(await host.text(), /has changed in Bitbucket since/);
  await host.close();
});

test("more lines around a change are asked for by a button", async () => {
  const view = drawing("diff", "world-small");
  view.facts.files[0].hunks = [
    { at: [20, 20], in: "fn main()", lines: [" a", "-b", "+c", " d"] },
    { at: [60, 60], lines: [" e", "-f", "+g"] },
  ];
  const host = await open(view, { requests: "yes" });
  const said = await host.frame.evaluate(() =>
    [...document.querySelectorAll(".gap")].map((gap) => gap.innerText.replace(/\s+/g, " ")),
  );
  assert.deepEqual(said, ["19 lines not shown fn main()", "37 lines not shown"]);
  await host.frame.click("text=19 lines not shown");
  // The view may have asked whether anything changed meanwhile.
  const call = await until(host, "a call for more lines", async () => {
    const calls = await host.sent("tools/call");
    return calls.find((one) => one.params.arguments.show.context_lines);
  });
  assert.equal(call.params.arguments.show.context_lines, 25);
  await host.close();
});

test("a pull request's diff opens from its card, and Back leads to the card again", async () => {
  const card = drawing("pull_request", "world-open");
  card.offers.kinds.push("diff");
  const host = await openFrame(browser.context, {
    clock: NOW,
    initialize: context({}),
    tools: [{ result: resultWith(drawing("diff", "world-comments")) }],
  });
  await host.notify("ui/notifications/tool-result", resultWith(card));
  await host.frame.click("text=Diff");
  await host.frame.waitForSelector(".view-diff");
  const call = await opening(host);
  assert.deepEqual(call.params.arguments, {
    show: { kind: "diff", project: "ACME", repo: "rocket", id: 42 },
  });
  await host.frame.press("main", "Escape");
  await host.frame.waitForSelector(".view-columns");
  await host.close();
});

test("another file that is here stands at once", async () => {
  const host = await open(drawing("diff", "world-huge"), { ...full, clock: null });
  // In the task of the press itself; how fast that is, `cargo bench` measures.
  const [now, ms] = await host.frame.evaluate(() => {
    const [, next] = document.querySelectorAll("button.file");
    const start = performance.now();
    next.click();
    document.documentElement.getBoundingClientRect();
    return [document.querySelector("h2").innerText, performance.now() - start];
  });
  console.log(`file switch ${ms} ms`);
  assert.equal(now, "ships/ship_0002.rs");
  assert.equal(await opening(host), undefined);
  await host.close();
});

test("inline grows a step at a time", async () => {
  const host = await open(drawing("diff", "world-lines"));
  const before_ = (await rows(host)).length;
  await host.frame.click("[aria-label='Show more lines']");
  assert.equal((await rows(host)).length, before_ + 40);
  assert.match(await host.text(), new RegExp(`Showing ${before_ + 40} of`));
  await host.close();
});

test("a diff of 1,200 lines is drawn to its end, its first screen before that", async () => {
  const host = await openFrame(browser.context, {
    ...full,
    // A frame in fullscreen has the height of its window, however long the page in it is.
    size: "ignore",
    height: 900,
    initialize: context({ displayMode: "fullscreen" }),
  });
  const view = drawing("diff", "world-lines");
  // How long each takes, `cargo bench` reads and judges.
  await host.frame.evaluate(() => {
    window.longest = 0;
    new PerformanceObserver((list) => {
      for (const one of list.getEntries()) window.longest = Math.max(window.longest, one.duration);
    }).observe({ type: "longtask" });
    addEventListener("message", (event) => {
      if (event.data.method !== "ui/notifications/tool-result") return;
      const start = performance.now();
      const lines = () => document.querySelectorAll(".diff tr.line").length;
      requestAnimationFrame(() => {
        setTimeout(() => {
          window.first = performance.now() - start;
          window.firstLines = lines();
        });
      });
      const watch = () => {
        if (lines() >= 1_200) window.all = performance.now() - start;
        else setTimeout(watch, 5);
      };
      watch();
    });
  });
  await host.notify("ui/notifications/tool-result", resultWith(view));
  const times = await until(host, "all lines", () =>
    host.frame.evaluate(
      () => window.all && window.first && [window.first, window.all, window.longest, window.firstLines],
    ),
  );
  console.log(`first screen ${times[0]} ms, all ${times[1]} ms, longest task ${times[2]} ms`);
  assert.ok(times[3] >= 40, `${times[3]} lines at first`);
  await host.close();
});

/** Calls of tools that write, as the page asked the host for them. */
const written = async (host) =>
  (await host.sent("tools/call"))
    .map(({ id, order, params }) => ({ id, order, ...params }))
    .filter(({ name }) => name !== "refresh_view");

/** A drawing whose server exposes what writes comments. */
const writable = (name) => {
  const view = drawing("diff", name);
  view.offers = { ...view.offers, tools: ["get_pr_diff", "add_pr_comment", "update_pr_comment"] };
  return view;
};

for (const [way, given] of [
  ["unified", {}],
  ["side by side", full],
])
  test(`a line is commented on with the keyboard alone, below that line: ${way}`, async () => {
    const view = writable("world-comments");
    const host = await open(view, { ...given, requests: "silence" });
    if (way === "side by side") await host.frame.click("text=Side by side");
    const table = host.frame.locator(".diff");
    await table.focus();
    await host.page.keyboard.press("Tab");
    const line = () => host.frame.evaluate(() => document.activeElement.getAttribute("data-focus"));
    await until(host, "a line's button", async () => /^open line/.test(await line()));
    const first = await line();
    await host.page.keyboard.press("ArrowDown");
    await host.page.keyboard.press("ArrowUp");
    assert.equal(await line(), first);
    await host.page.keyboard.press("ArrowDown");
    assert.notEqual(await line(), first);
    const place = (await line()).slice("open ".length);
    const [, side, number, path] = /^line (old|new) (\d+) (.*)$/.exec(place);
    await host.page.keyboard.press("Enter");
    await until(host, "the place to write", async () => (await line()) === `text ${place}`);
    await host.page.keyboard.type("Why 600 kPa?");
    const above = await host.frame.evaluate(() => {
      let row = document.querySelector(".line-write").previousElementSibling;
      while (row.classList.contains("line-threads")) row = row.previousElementSibling;
      return [...row.querySelectorAll(".number-button")].map((one) => one.getAttribute("data-focus"));
    });
    assert.ok(above.includes(`open ${place}`), `${above}`);
    await host.page.keyboard.press("Control+Enter");
    const [call] = await until(host, "the call", async () => {
      const calls = await written(host);
      return calls.length > 0 && calls;
    });
    const { project, repo } = view.facts.repository;
    assert.deepEqual(call.arguments, {
      project,
      repo,
      id: 42,
      text: "Why 600 kPa?",
      path,
      line: Number(number),
      side,
    });
    await host.answer(call.id, { content: [{ type: "text", text: "no" }], isError: true });
    await host.frame.waitForSelector(".line-write .notice:has-text('no')");
    assert.equal(await host.frame.inputValue(".line-write textarea"), "Why 600 kPa?");
    // A newer drawing keeps what is written, and where.
    const newer = structuredClone(view);
    newer.fingerprint = "newer";
    newer.read_at = new Date(NOW + 1_000).toISOString();
    newer.facts.files[0].threads = {};
    const read = await until(host, "the view to be read again", async () =>
      (await host.sent("tools/call")).find(({ order }) => order > call.order),
    );
    await host.answer(read.id, resultWith(newer));
    await until(host, "the text again", () =>
      host.frame.evaluate(
        () =>
          document.querySelector(".line-write textarea")?.value === "Why 600 kPa?" &&
          document.activeElement.closest(".line-write") !== null,
      ),
    );
    await host.page.keyboard.press("Escape");
    await until(host, "the line again", async () => (await line()) === `open ${place}`);
    assert.equal(await host.frame.locator(".line-write").count(), 0);
    assert.equal((await written(host)).length, 1);
    assert.deepEqual(host.errors, []);
    await host.close();
  });

test("a thread on a line is answered and resolved where it stands", async () => {
  const host = await open(writable("world-comments"), { ...full, requests: "silence" });
  await choose(host, "engine/pump.rs");
  const thread = host.frame.locator(".line-threads .thread:not(:has(.resolved))").first();
  await thread.getByText("Reply", { exact: true }).click();
  await thread.locator("textarea").fill("Done in the next push.");
  await thread.locator(".editor .button-main").click();
  const [reply] = await until(host, "the reply", async () => {
    const calls = await written(host);
    return calls.length > 0 && calls;
  });
  assert.equal(reply.name, "add_pr_comment");
  assert.equal(reply.arguments.text, "Done in the next push.");
  assert.ok(reply.arguments.parent_id > 0);
  assert.deepEqual(host.errors, []);
  await host.close();
});

test("nobody is offered to write where the server does not expose it, or it is no pull request's diff", async () => {
  const withheld = drawing("diff", "world-comments");
  const commit = { ...drawing("diff", "world-commit"), offers: writable("world-comments").offers };
  for (const view of [withheld, commit]) {
    const host = await open(view);
    assert.equal(await host.frame.locator(".number-button").count(), 0);
    assert.equal(await host.frame.getByText("Reply", { exact: true }).count(), 0);
    await host.close();
  }
});
