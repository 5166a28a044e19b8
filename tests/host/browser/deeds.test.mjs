// What the person does in a view, with a host that answers, refuses, stays silent or takes `_meta` away.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { drawing, initialized, openBrowser, openFrame, resultWith, until } from "./support.mjs";

const START = Date.parse("2026-11-30T10:00:00Z");
const TOOLS = [
  "add_pr_comment",
  "update_pr_comment",
  "submit_pr_review",
  "merge_pull_request",
  "decline_pull_request",
  "reopen_pull_request",
  "update_pull_request",
];
const KINDS = ["pull_request", "diff", "commits", "builds"];
let browser;

before(async () => {
  browser = await openBrowser();
});
after(() => browser.close());

function card(name, changes = {}, offers = { kinds: KINDS, tools: TOOLS }) {
  const one = drawing("pull_request", name);
  const facts = { ...one.facts, me: { name: "reader", author: false }, ...changes };
  return { ...one, offers, facts, read_at: new Date(START).toISOString() };
}

/** A view of a drawing, in a host that answers nothing but what the test sends. */
async function opened(view, more = {}) {
  const host = await openFrame(browser.context, {
    clock: START,
    requests: "silence",
    initialize: initialized({
      availableDisplayModes: ["inline", "fullscreen"],
      displayMode: "fullscreen",
      capabilities: { serverTools: {}, updateModelContext: {} },
    }),
    ...more,
  });
  host.page.setDefaultTimeout(8_000);
  await host.notify("ui/notifications/tool-result", resultWith(view));
  await host.frame.waitForSelector("h1");
  return host;
}

/** The next call of a tool that was not looked at yet, but for polls. */
async function nextCall(host, seen, name) {
  const find = async () =>
    (await host.sent("tools/call")).find(
      (call) => call.id > seen.id && call.params.name === name,
    );
  const call = await until(host, name, find);
  seen.id = call.id;
  return call;
}

const outcome = (told) => ({
  content: [{ type: "text", text: "for the model" }],
  isError: told.done !== true,
  _meta: { "bb/outcome": told },
});

/** A button by its words. */
const named = (words) => `button:has(> span:text-is("${words}"))`;
const press = (host, words) => host.frame.click(named(words));
const calls = async (host, name) =>
  (await host.sent("tools/call")).filter((call) => call.params.name === name).length;

test("a view offers only what the server exposes, and to whom it is any use", async () => {
  const none = await opened(card("world-ready", {}, { kinds: ["pull_request"], tools: [] }));
  assert.equal(await none.frame.locator(".bar").count(), 0);
  assert.equal(await none.frame.locator("text=Reply").count(), 0);
  await none.close();
  for (const [name, changes, offered] of [
    ["world-ready", {}, ["Approve", "Request changes", "Merge", "Decline"]],
    ["world-ready", { me: { name: "a", author: true } }, ["Merge", "Decline"]],
    [
      "world-ready",
      { me: { name: "a", author: false, status: "NEEDS_WORK" } },
      ["Approve", "Changes requested", "Merge", "Decline"],
    ],
    ["world-conflicted", {}, ["Approve", "Request changes", "Decline"]],
    ["world-draft", {}, ["Approve", "Request changes", "Mark as ready", "Decline"]],
    ["world-declined", {}, ["Reopen"]],
    ["world-merged", {}, []],
  ]) {
    const host = await opened(card(name, changes));
    const buttons = await host.frame.locator(".bar > .actions button").allInnerTexts();
    assert.deepEqual(buttons, offered, name);
    await host.close();
  }
});

test("an approval calls the model's own tool, reads the view again and tells the model", async () => {
  const host = await opened(card("world-ready"));
  const seen = { id: 0 };
  await press(host, "Approve");
  const call = await nextCall(host, seen, "submit_pr_review");
  assert.deepEqual(call.params.arguments, {
    project: "ACME",
    repo: "rocket",
    id: 54,
    action: "approve",
  });
  await host.frame.waitForSelector("text=Under way");
  // A second press, of this or of another button, does nothing meanwhile.
  for (const words of ["Approve", "Request changes"])
    await host.frame.dispatchEvent(named(words), "click");
  assert.equal(await calls(host, "submit_pr_review"), 1);
  await host.answer(call.id, outcome({ done: true, id: 54 }));
  const read = await nextCall(host, seen, "refresh_view");
  const approved = card("world-ready", { me: { name: "reader", author: false, status: "APPROVED" } });
  await host.answer(read.id, resultWith({ ...approved, fingerprint: "after" }));
  await host.frame.waitForSelector(`${named("Approved")}[aria-pressed=true]`);
  assert.equal(await host.frame.locator("text=Under way").count(), 0);
  await host.page.clock.runFor(11_000);
  const told = await host.sent("ui/update-model-context");
  assert.match(told.at(-1).params.content[0].text, /The person approved pull request #54\./);
  await press(host, "Approved");
  const back = await nextCall(host, seen, "submit_pr_review");
  assert.equal(back.params.arguments.action, "unapprove");
  assert.deepEqual(host.errors, []);
  await host.close();
});

for (const [what, result, words] of [
  [
    "in the outcome",
    outcome({ done: false, errors: [{ message: "You are not allowed to do that." }] }),
    "You are not allowed to do that.",
  ],
  [
    "in the text alone, for the host took the rest away",
    { content: [{ type: "text", text: "cannot add it: no" }], isError: true },
    "cannot add it: no",
  ],
]) {
  test(`what Bitbucket says against a comment stands beside it, and the text stays: ${what}`, async () => {
    const host = await opened(card("world-open"));
    const seen = { id: 0 };
    await press(host, "Comment");
    await host.frame.fill("textarea", "Looks *good*.");
    await host.frame.click(`.part-activity .editor ${named("Comment")}`);
    const call = await nextCall(host, seen, "add_pr_comment");
    assert.deepEqual(call.params.arguments, {
      project: "ACME",
      repo: "rocket",
      id: 42,
      text: "Looks *good*.",
    });
    await host.answer(call.id, result);
    const read = await nextCall(host, seen, "refresh_view");
    await host.answer(read.id, resultWith(card("world-open")));
    await host.frame.waitForSelector(`.editor >> text=${words}`);
    assert.equal(await host.frame.inputValue("textarea"), "Looks *good*.");
    await host.close();
  });
}

test("an answer that is lost may have happened, and nothing is offered until the view was read", async () => {
  const host = await opened(card("world-ready"));
  const seen = { id: 0 };
  await press(host, "Merge");
  await host.frame.waitForSelector("text=/Merge .* into main, as it is in version/");
  assert.equal(await calls(host, "merge_pull_request"), 0);
  await host.frame.click(`.question ${named("Merge commit")}`);
  const call = await nextCall(host, seen, "merge_pull_request");
  assert.equal(call.params.arguments.version, drawing("pull_request", "world-ready").facts.version);
  assert.equal(call.params.arguments.strategy, "no-ff");
  await host.page.clock.runFor(340_000);
  await host.frame.waitForSelector("text=It may have happened");
  // The polls of these minutes were lost too; the last call is the one that follows the deed.
  const read = (await host.sent("tools/call")).at(-1);
  assert.equal(read.params.name, "refresh_view");
  await host.frame.dispatchEvent(`.question ${named("Merge commit")}`, "click");
  assert.equal(await calls(host, "merge_pull_request"), 1);
  await host.answer(read.id, resultWith(card("world-ready")));
  await until(host, "the button", () =>
    host.frame.evaluate(() => !document.querySelector(".question [aria-disabled]")),
  );
  await host.close();
});

for (const [what, opens, moved] of [
  ["version", "Merge", { version: 99 }],
  ["source commit", "Merge", { source: { branch: "docs/ready", commit: "9".repeat(40) } }],
  ["version", "Decline", { version: 99 }],
])
  test(`a question to ${opens.toLowerCase()} never means another ${what} than it was opened with`, async () => {
    const host = await opened(card("world-ready"));
    const seen = { id: 0 };
    await press(host, opens);
    const deed = opens === "Merge" ? "Merge commit" : "Decline";
    const asked = await host.frame.innerText(".question p");
    await host.frame.waitForSelector(`.question ${named(deed)}`);
    const newer = { ...card("world-ready", moved), fingerprint: "moved" };
    await host.notify("ui/notifications/tool-result", resultWith(newer));
    await host.frame.waitForSelector(".question >> text=It has moved on since you were asked.");
    assert.equal(await host.frame.locator(`.question ${named(deed)}`).count(), 0);
    assert.doesNotMatch(await host.frame.innerText(".question"), /version 99/);
    await press(host, "Ask again");
    await host.frame.waitForSelector(`.question ${named(deed)}`);
    const again = await host.frame.innerText(".question p");
    if (opens === "Merge" && moved.version) assert.match(again, /version 99\?$/);
    else assert.equal(again, asked);
    await host.frame.click(`.question ${named(deed)}`);
    const call = await nextCall(host, seen, `${opens.toLowerCase()}_pull_request`);
    if (opens === "Merge") assert.equal(call.params.arguments.version, newer.facts.version);
    await host.close();
  });

test("what is written survives a refresh, a theme, a width, a mode and a way out and back", async () => {
  const host = await opened(card("world-open"));
  await host.frame.locator(`${named("Reply")}`).first().click();
  await host.frame.type("textarea", "Half a ");
  await host.notify("ui/notifications/host-context-changed", { theme: "dark", displayMode: "inline" });
  await host.notify("ui/notifications/host-context-changed", { displayMode: "fullscreen" });
  const more = card("world-open");
  const entry = more.facts.activity.listed.find((one) => one.thread);
  entry.thread.comments.push({ ...entry.thread.comments[0], id: 999, depth: 1 });
  await host.notify("ui/notifications/tool-result", resultWith({ ...more, fingerprint: "more" }));
  await until(host, "the reply", () => host.frame.locator(".depth-1").count());
  assert.equal(await host.frame.evaluate(() => document.activeElement.tagName), "TEXTAREA");
  await host.page.keyboard.type("thought");
  assert.equal(await host.frame.inputValue("textarea"), "Half a thought");
  await press(host, "Diff");
  await press(host, "Back");
  assert.equal(await host.frame.inputValue("textarea"), "Half a thought");
  // Escape closes the place to write, not the view, and keeps what is there.
  await host.frame.focus("textarea");
  await host.page.keyboard.press("Escape");
  assert.equal(await host.frame.locator("textarea").count(), 0);
  assert.equal(await host.frame.evaluate(() => document.activeElement.innerText), "Reply");
  await host.page.keyboard.press("Enter");
  assert.equal(await host.frame.inputValue("textarea"), "Half a thought");
  await host.close();
});

test("a thread is answered and a task is ticked off with the keyboard alone", async () => {
  const host = await opened(card("world-open"));
  const seen = { id: 0 };
  const focusOn = async (words) => {
    for (let presses = 0; presses < 200; presses += 1) {
      await host.page.keyboard.press("Tab");
      if ((await host.frame.evaluate(() => document.activeElement.innerText)) === words) return;
    }
    assert.fail(`no Tab leads to ${words}`);
  };
  await host.frame.evaluate(() => document.querySelector("button").focus());
  await focusOn("Reply");
  await host.page.keyboard.press("Enter");
  await host.page.keyboard.type("Done");
  await host.page.keyboard.press("Control+Enter");
  const reply = await nextCall(host, seen, "add_pr_comment");
  assert.equal(reply.params.arguments.parent_id, 419);
  assert.equal(reply.params.arguments.text, "Done");
  await host.answer(reply.id, outcome({ done: true }));
  const read = await nextCall(host, seen, "refresh_view");
  await host.answer(read.id, resultWith(card("world-open")));
  await until(host, "the end", async () => !(await host.text()).includes("Reading again"));
  assert.equal(await host.frame.locator("textarea").count(), 0);
  await focusOn("Resolve task");
  await host.page.keyboard.press("Space");
  const tick = await nextCall(host, seen, "update_pr_comment");
  assert.equal(tick.params.arguments.resolved, true);
  assert.equal(tick.params.arguments.comment_id, 411);
  await host.close();
});

test("a resolved thread is one line until it is opened, and stays open across a refresh", async () => {
  const host = await opened(card("world-open"));
  const thread = host.frame.locator("details.resolved").first();
  assert.match(await thread.innerText(), /^Resolved\s+by /);
  await thread.locator("summary").click();
  await host.notify(
    "ui/notifications/tool-result",
    resultWith({ ...card("world-open", { version: 99 }), fingerprint: "next" }),
  );
  await until(host, "the thread", () =>
    host.frame.evaluate(() => document.querySelector("details.resolved").open),
  );
  await host.close();
});

test("a comment on an old line stands where the diff marks it, and one that is unknown is told", async () => {
  const host = await opened(card("world-open"));
  const text = await host.text();
  assert.match(text, /CI auto merge enabled by something new/);
  assert.match(text, /added 12 commits and removed 1 commit/);
  assert.match(text, /engine\/igniter\.go:12\s+Outdated/);
  const marked = await host.frame.locator(".excerpt-line.is-marked").first().innerText();
  assert.match(marked, /^7\s*\+/);
  await host.close();
});

test("older activity opens in place, and Back leads to the newest", async () => {
  const view = card("world-open");
  view.facts.activity.next = 100;
  view.facts.activity.count = { n: 24, exact: false };
  const host = await opened(view);
  const seen = { id: 0 };
  assert.match(await host.text(), /Showing 24 of 24\+/);
  await press(host, "Older activity");
  const read = await nextCall(host, seen, "refresh_view");
  assert.equal(read.params.arguments.show.activity_start, 100);
  const older = card("world-open");
  older.facts.activity = { ...older.facts.activity, start: 100, next: undefined };
  older.show = { ...older.show, activity_start: 100 };
  await host.answer(read.id, resultWith(older));
  await host.frame.waitForSelector("h2:text-is('Older activity')");
  await press(host, "Back");
  await host.frame.waitForSelector("h2:text-is('Activity')");
  await host.close();
});

test("inline, the newest of the activity stands in one screen and grows by steps", async () => {
  for (const name of ["world-open", "world-ready", "world-conflicted", "world-draft"]) {
    const host = await opened(card(name), {
      initialize: initialized({ capabilities: { serverTools: {} } }),
    });
    const height = await host.frame.evaluate(
      () => document.documentElement.getBoundingClientRect().height,
    );
    assert.ok(height <= 640, `${name}: ${height} px high at first`);
    await host.close();
  }
  const host = await opened(card("world-open"), {
    initialize: initialized({ capabilities: { serverTools: {} } }),
  });
  await host.frame.click("[aria-label='Show more activity']");
  assert.equal(await host.frame.locator(".entry").count(), 5);
  await host.frame.click("[aria-label='Show more activity']");
  assert.equal(await host.frame.locator(".entry").count(), 10);
  await host.close();
  // A comment in one line opens too, although no entry is missing.
  const few = card("world-ready");
  const { activity } = few.facts;
  activity.listed[0] = card("world-open").facts.activity.listed[1];
  const small = await opened(few, {
    initialize: initialized({ capabilities: { serverTools: {} } }),
  });
  await press(small, "Show comments");
  assert.equal(await small.frame.locator(".entry").count(), activity.listed.length);
  await small.close();
});
