// Lists: a row opened in place and the way back, another state, more of it, and what the model is told.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { drawing, initialized, openBrowser, openFrame, resultWith, until } from "./support.mjs";

const START = Date.parse("2026-11-30T10:00:00Z");
let browser;

before(async () => {
  browser = await openBrowser();
});
after(() => browser.close());

/** A drawing read just now, so that its age asks for nothing. */
function view(kind, name, changes = {}) {
  return { ...drawing(kind, name), read_at: new Date(START).toISOString(), ...changes };
}

const answer = (drawn) => ({ result: resultWith(drawn) });

/** A host that answers each call of a tool with the next of `tools`, and draws `first`. */
async function framed(first, tools, given = {}) {
  const { capabilities, ...settings } = given;
  const host = await openFrame(browser.context, {
    clock: START,
    requests: "yes",
    tools,
    initialize: initialized({
      availableDisplayModes: ["inline", "fullscreen"],
      displayMode: settings.displayMode ?? "inline",
      timeZone: "UTC",
      capabilities: capabilities ?? { serverTools: {}, openLinks: {}, updateModelContext: {} },
    }),
    ...settings,
  });
  await host.notify("ui/notifications/tool-result", resultWith(first));
  await host.frame.waitForSelector(".view-list");
  return host;
}

const calls = async (host) =>
  (await host.sent("tools/call")).map((message) => message.params.arguments);
const heading = (host, words) =>
  until(host, `the heading "${words}"`, () =>
    host.frame.evaluate((wanted) => document.querySelector("h1")?.innerText === wanted, words),
  );
const focused = (host) =>
  host.frame.evaluate(() => document.activeElement.getAttribute("data-focus"));
const TITLE = "Light the engine with a real igniter";

for (const way of ["Back", "Escape"])
  test(`a row opens in place by keyboard, and ${way} leads back to it`, async () => {
    const host = await framed(view("pull_requests", "open"), [
      answer(view("pull_request", "world-open")),
    ]);
    await host.frame.focus("[data-focus='open #42']");
    await host.page.keyboard.press("Enter");
    await heading(host, TITLE);
    assert.deepEqual(await calls(host), [
      { show: { kind: "pull_request", project: "ACME", repo: "rocket", id: 42 } },
    ]);
    assert.equal(await focused(host), "back");
    assert.match(
      await host.frame.evaluate(() => document.querySelector(".status-line").textContent),
      /^Opened: Pull Request #42/,
    );
    await host.page.clock.runFor(10_000);
    const told = await until(host, "the model's context", async () =>
      (await host.sent("ui/update-model-context")).at(-1),
    );
    assert.match(JSON.stringify(told.params), /On screen: pull request ACME\/rocket #42/);

    if (way === "Back") await host.page.keyboard.press("Enter");
    else await host.page.keyboard.press("Escape");
    await heading(host, "Open pull requests");
    assert.equal(await focused(host), "open #42");
    assert.equal(await host.frame.locator("text=Back").count(), 0);
    await host.page.clock.runFor(10_000);
    const last = (await host.sent("ui/update-model-context")).at(-1);
    assert.match(JSON.stringify(last.params), /On screen: open pull requests of ACME\/rocket/);
    assert.deepEqual(host.errors, []);
    await host.close();
  });

test("a row that cannot be read says so, with the way back", async () => {
  const refusal = {
    result: { isError: true, content: [{ type: "text", text: "No pull request 42." }] },
  };
  const host = await framed(view("pull_requests", "open"), [refusal]);
  await host.frame.click("[data-focus='open #42']");
  await heading(host, "The pull request could not be read");
  assert.match(await host.text(), /No pull request 42\./);
  await host.frame.click("text=Back");
  await heading(host, "Open pull requests");
  await host.close();
});

test("a list is asked for in another state, and is one step back", async () => {
  const host = await framed(view("pull_requests", "open"), [
    answer(view("pull_requests", "merged")),
  ]);
  const pressed = () =>
    host.frame.evaluate(() => document.querySelector("[aria-pressed=true]").innerText);
  assert.equal(await pressed(), "Open");
  await host.frame.click("[aria-label=State] >> text=Merged");
  await heading(host, "Merged pull requests");
  assert.equal(await pressed(), "Merged");
  const [{ show }] = await calls(host);
  assert.deepEqual(show, {
    kind: "pull_requests",
    project: "ACME",
    repo: "rocket",
    state: "MERGED",
  });
  await host.page.keyboard.press("Escape");
  await heading(host, "Open pull requests");
  assert.equal(await focused(host), "State MERGED");
  await host.close();
});

test("the person's own list is asked for in another role", async () => {
  const host = await framed(view("pull_requests", "own"), [
    answer(view("pull_requests", "to-review")),
  ]);
  await host.frame.click("[aria-label='Your role'] >> text=Reviewer");
  await heading(host, "Your open pull requests");
  assert.deepEqual(await calls(host), [
    { show: { kind: "pull_requests", state: "ALL", role: "reviewer" } },
  ]);
  await host.close();
});

test("what is carried is shown first, then more is asked for, and nothing by itself", async () => {
  const fifty = view("pull_requests", "hundred");
  fifty.facts.listed = fifty.facts.listed.slice(0, 50);
  fifty.facts.asked = { limit: 50 };
  fifty.show = { ...fifty.show, limit: 50 };
  const host = await framed(view("pull_requests", "page"), [answer(fifty)]);
  const rows = host.frame.locator(".list > li");
  assert.match(await host.text(), /Showing 7, and more/);
  await host.frame.click("text=Show more");
  await host.frame.click("text=Show more");
  assert.equal(await rows.count(), 25);
  assert.match(await host.text(), /Showing 25, and more/);
  assert.deepEqual(await calls(host), []);
  await host.frame.click("text=Show more");
  await until(host, "more rows", async () => (await rows.count()) === 37);
  const [{ show }] = await calls(host);
  assert.deepEqual(show, { kind: "pull_requests", project: "FLEET", repo: "fleet", limit: 50 });
  assert.equal(await focused(host), "grow rows");
  assert.equal(await host.frame.locator("text=Back").count(), 0);
  await host.page.clock.runFor(10_000);
  const told = JSON.stringify((await host.sent("ui/update-model-context")).at(-1).params);
  assert.match(told, /The person asked for more: 50 are there now/);
  await host.close();
});

test("the way back leads to where the list was scrolled to", async () => {
  const host = await framed(
    view("pull_requests", "hundred"),
    [answer(view("pull_request", "world-open"))],
    { displayMode: "fullscreen", size: "ignore" },
  );
  const scrolled = () => host.frame.evaluate(() => Math.round(scrollY));
  await host.frame.evaluate(() => scrollTo(0, 1_500));
  const at = await scrolled();
  await host.frame.evaluate(() => document.querySelectorAll(".opener")[45].click());
  await heading(host, TITLE);
  assert.equal(await scrolled(), 0);
  await host.frame.click("text=Back");
  await heading(host, "Open pull requests");
  assert.equal(await scrolled(), at);
  await host.close();
});

test("a view of another kind that comes into the same frame is drawn, and is no change", async () => {
  const host = await framed(view("pull_requests", "open"), []);
  for (const [kind, name, words] of [
    ["builds", "every-state", "Builds"],
    ["pull_request", "world-open", TITLE],
    ["commits", "pull-request", "Commits"],
  ]) {
    await host.notify("ui/notifications/tool-result", resultWith(view(kind, name)));
    await heading(host, words);
  }
  await host.page.clock.runFor(10_000);
  assert.deepEqual(await host.sent("ui/update-model-context"), []);
  assert.deepEqual(host.errors, []);
  await host.close();
});

test("past the longest list its next part is asked for, as a step of its own", async () => {
  const host = await framed(
    view("pull_requests", "hundred"),
    [answer(view("pull_requests", "last-page"))],
    { displayMode: "fullscreen" },
  );
  assert.equal(await host.frame.locator(".list > li").count(), 100);
  await host.frame.click("text=Next page");
  await until(
    host,
    "the next part",
    async () => (await host.frame.locator(".list > li").count()) === 21,
  );
  const [{ show }] = await calls(host);
  assert.equal(show.start, 100);
  assert.equal(await focused(host), "back");
  await host.close();
});

test("builds that Bitbucket does not list are counted, with the way to them", async () => {
  const view_ = view("builds", "two-hundred");
  view_.facts.count = { n: 250, exact: true };
  view_.facts.listed = view_.facts.listed.slice(0, 100);
  const host = await framed(view_, [], { displayMode: "fullscreen" });
  assert.match(await host.text(), /Showing 100 of 250: see Bitbucket/);
  await host.close();
});

test("where the list of builds could not be read, its reason stands beside the count, never 'No builds'", async () => {
  const view_ = view("builds", "two-hundred");
  view_.facts.listed = [];
  view_.facts.list_unread = "Cannot list the builds of commit c0ffee: Bitbucket answered 500.";
  const host = await framed(view_, []);
  const text = await host.text();
  assert.match(text, /200 in all/);
  assert.match(text, /Cannot list the builds of commit c0ffee/);
  assert.match(text, /Showing 0 of 200/);
  assert.doesNotMatch(text, /No builds/);
  await host.close();
});

test("a list that carries many is never asked for fewer: its next part is asked for", async () => {
  const long = view("builds", "two-hundred");
  long.facts.count = { n: 400, exact: true };
  long.facts.next = 200;
  const host = await framed(long, [answer(long)], { displayMode: "fullscreen" });
  await host.frame.click(".part-foot button");
  const [{ show }] = await until(host, "the call", async () => {
    const found = await calls(host);
    return found.length > 0 && found;
  });
  assert.deepEqual([show.start, show.limit], [200, undefined]);
  await host.close();
});

test("past its end a list says from where on there is nothing, not that there is nothing", async () => {
  const past = view("pull_requests", "open");
  Object.assign(past.facts, { listed: [], next: null, count: { n: 0, exact: false } });
  past.facts.asked = { ...past.facts.asked, start: 900 };
  const host = await framed(past, []);
  await until(host, "the words", () =>
    host.frame.evaluate(() =>
      document.body.innerText.includes("No open pull requests from place 901 on"),
    ),
  );
  await host.close();
});

test("where nothing can be opened in place, a row is a link to Bitbucket", async () => {
  for (const [kind, name, given, changes] of [
    ["pull_requests", "open", { capabilities: { openLinks: {} } }, {}],
    ["pull_requests", "open", {}, { offers: { kinds: ["pull_requests"], tools: [] } }],
    ["commits", "pull-request", {}, {}],
  ]) {
    const host = await framed(view(kind, name, changes), [], given);
    const found = await host.frame.evaluate(() =>
      [...document.querySelectorAll(".list .opener")].map((node) => [node.tagName, node.href]),
    );
    assert.ok(found.length > 0);
    for (const [tag, address] of found) {
      assert.equal(tag, "A");
      assert.match(address, /^https:\/\/bitbucket\.example\.com\/projects\/ACME\/repos\/rocket\//);
    }
    await host.close();
  }
});

test("a build that ends changes its row in place, and the model is told", async () => {
  const running = view("builds", "running");
  const ended = view("builds", "running", { fingerprint: "another", motion: "quiet" });
  ended.facts.listed = ended.facts.listed.map((one) =>
    one.key === "build-321" ? { ...one, state: "FAILED" } : one,
  );
  const host = await framed(running, [answer(ended)]);
  await host.frame.focus("[data-focus='link https://ci.example.com/build/321']");
  await host.page.clock.runFor(5_500);
  await until(host, "the failed build", async () => /Failed/.test(await host.text()));
  assert.equal(await focused(host), "link https://ci.example.com/build/321");
  assert.equal((await calls(host)).length, 1);
  await host.page.clock.runFor(10_000);
  const told = await until(host, "the model's context", async () =>
    (await host.sent("ui/update-model-context")).at(-1),
  );
  assert.match(JSON.stringify(told.params), /CI » build: Failed \(was: CI » build: In progress\)/);
  await host.close();
});

test("builds of a commit alone are said to be, and nothing of what is required", async () => {
  for (const name of ["commit", "commit-alone", "no-listing"]) {
    const host = await framed(view("builds", name), []);
    const text = await host.text();
    assert.match(text, /^Builds of commit [0-9a-f]{7}$/m);
    assert.doesNotMatch(text, /[Rr]equired/);
    await host.close();
  }
});

test("hostile text in a list is shown, never obeyed", async () => {
  for (const [kind, name] of [
    ["pull_requests", "open"],
    ["commits", "hostile"],
    ["builds", "hostile"],
  ]) {
    const host = await framed(view(kind, name), [], { displayMode: "fullscreen" });
    const found = await host.frame.evaluate(() => ({
      links: [...document.querySelectorAll("a[href]")].map((node) => new URL(node.href).protocol),
      attributes: [...document.querySelectorAll("main *")]
        .flatMap((node) => node.getAttributeNames())
        .filter((one) => one.startsWith("on") || one === "src"),
      raw: /[\u202a-\u202e\u2066-\u2069\u200b]/.test(
        document.querySelector("main").innerHTML + document.title,
      ),
      elements: document.querySelectorAll("main :is(script, b, img, iframe, svg svg)").length,
    }));
    assert.ok(found.links.every((protocol) => /^https?:$/.test(protocol)), `${found.links}`);
    assert.deepEqual(found.attributes, []);
    assert.equal(found.raw, false, `${kind} ${name}`);
    assert.equal(found.elements, 0);
    assert.deepEqual(host.errors, []);
    await host.close();
  }
});

for (const [locale, date] of [
  ["en", /^Monday,? March 9, 2026 at 9:20/],
  ["es-US", /^Monday,? March 9, 2026 at 9:20/],
  ["de-DE", /^Monday,? 9 March 2026 at 09:20/],
  [undefined, /^Monday,? 9 March 2026 at 09:20/],
  ["no such locale", /^Monday,? 9 March 2026 at 09:20/],
])
  test(`every time has its full date, in the order of ${locale}`, async () => {
    const host = await framed(view("pull_requests", "open"), [], {
      initialize: initialized({ timeZone: "UTC", locale }),
    });
    const titles = await until(host, "a full date for each", () =>
      host.frame.evaluate(() => {
        const all = [...document.querySelectorAll("main time")].map((one) => one.title);
        return all.length > 0 && all.every((title) => title !== "") && all;
      }),
    );
    assert.ok(titles.some((title) => date.test(title)), `${titles}`);
    await host.close();
  });
