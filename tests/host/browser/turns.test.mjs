// Answers that come when the view has turned elsewhere, or was asked for something else meanwhile.
//
// The host answers nothing by itself. Start at opened().

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { drawing, initialized, openBrowser, openFrame, resultWith, until } from "./support.mjs";

const START = Date.parse("2026-11-30T10:00:00Z");
const OFFERS = {
  kinds: ["pull_request", "pull_requests", "diff", "commits", "builds"],
  tools: ["get_pull_request", "submit_pr_review"],
};
let browser;

before(async () => (browser = await openBrowser()));
after(() => browser.close());

/** A drawing read so long after the start. */
function view(kind, name, seconds = 0, changes = {}) {
  const read_at = new Date(START + seconds * 1_000).toISOString();
  return { ...drawing(kind, name), read_at, offers: OFFERS, ...changes };
}

async function opened(first, displayMode = "inline") {
  const capabilities = { serverTools: {}, updateModelContext: {} };
  const host = await openFrame(browser.context, {
    clock: START,
    requests: "silence",
    initialize: initialized({ capabilities, displayMode, timeZone: "UTC" }),
  });
  await host.notify("ui/notifications/tool-result", resultWith(first));
  await host.frame.waitForSelector("h1");
  const seen = { id: 0 };
  const next = async (holds = () => true) => {
    const find = async () =>
      (await host.sent("tools/call")).find(
        ({ id, params }) => id > seen.id && holds(params.arguments),
      );
    const call = await until(host, "the next call", find);
    seen.id = call.id;
    return call;
  };
  return { ...host, next };
}

const heading = (host, words) =>
  until(host, `the heading "${words}"`, () =>
    host.frame.evaluate((wanted) => document.querySelector("h1")?.innerText === wanted, words),
  );
const LIST = "Open pull requests";
const TITLE = "Light the engine with a real igniter";
const isAlone = ({ show }) => show.path === "zz/last.txt";
const choose = (host) =>
  host.frame.evaluate(() => document.querySelector("[data-focus='file zz/last.txt']").click());

/** The last file of a diff as it came alone. */
function alone(line) {
  const one = view("diff", "world-cut");
  one.facts.first = 1;
  one.facts.files[1] = { ...one.facts.files[1], hunks: [{ at: [0, 1], lines: [`+${line}`] }] };
  return resultWith(one);
}

test("a file that was asked for when its diff was left is asked for again on the way back", async () => {
  const cut = view("diff", "world-cut", 0, { motion: "still" });
  // It stands for the diff of a pull request, which has a button to its overview.
  cut.facts = { ...cut.facts, of: "pull_request", id: 42 };
  const host = await opened(cut, "fullscreen");
  await choose(host);
  await host.frame.waitForSelector("text=Reading this file");
  const first = await host.next(isAlone);
  await host.frame.click("[data-focus=overview]");
  const card = await host.next();
  await host.answer(card.id, resultWith(view("pull_request", "world-open")));
  await heading(host, TITLE);
  await host.answer(first.id, alone("nobody waits for it"));
  await host.frame.click("[data-focus=back]");
  const again = await host.next(isAlone);
  await host.answer(again.id, alone("asked for again"));
  await host.frame.waitForSelector("text=asked for again");
  assert.doesNotMatch(await host.text(), /Reading this file|nobody waits/);
  assert.deepEqual(host.errors, []);
  await host.close();
});

test("a file asked for while its diff changes is asked for anew, and the later answer counts", async () => {
  const cut = view("diff", "world-cut", 0, { motion: "moving" });
  const host = await opened(cut, "fullscreen");
  await choose(host);
  const first = await host.next(isAlone);
  await host.page.clock.runFor(6_000);
  const poll = await host.next(({ fingerprint }) => fingerprint !== undefined);
  const changed = view("diff", "world-cut", 6, { fingerprint: "changed", motion: "still" });
  changed.facts.title = "Another title";
  await host.answer(poll.id, resultWith(changed));
  const second = await host.next(isAlone);
  await host.answer(second.id, alone("the later"));
  await host.frame.waitForSelector("text=the later");
  await host.answer(first.id, alone("the earlier"));
  await host.log();
  assert.match(await host.text(), /the later/);
  assert.doesNotMatch(await host.text(), /the earlier|Reading this file/);
  await host.close();
});

test("a file asked for while a comment is being sent is drawn, and so is what is read after the comment", async () => {
  const cut = view("diff", "world-cut", 0, {
    motion: "still",
    offers: { ...OFFERS, tools: ["add_pr_comment"] },
  });
  const host = await opened(cut, "fullscreen");
  await host.frame.evaluate(() => document.querySelector(".number-button").click());
  await host.frame.fill(".line-write textarea", "Why?");
  await host.frame.click(".line-write [data-focus^='send 0']");
  const comment = await host.next(({ text }) => text === "Why?");
  await choose(host);
  const part = await host.next(isAlone);
  await host.answer(comment.id, {
    content: [],
    _meta: { "bb/outcome": { done: true } },
  });
  const read = await host.next();
  await host.answer(part.id, alone("the last line"));
  await host.frame.waitForSelector("text=the last line");
  await host.answer(read.id, resultWith({ ...cut, fingerprint: "commented" }));
  const again = await host.next(isAlone);
  await host.answer(again.id, alone("and once more"));
  await host.frame.waitForSelector("text=and once more");
  assert.doesNotMatch(await host.text(), /Reading this file/);
  assert.deepEqual(host.errors, []);
  await host.close();
});

test("a longer list is asked for though the poller waits for an answer, which is then nobody's", async () => {
  const page = view("pull_requests", "page", 0, { motion: "moving" });
  const host = await opened(page, "fullscreen");
  await host.page.clock.runFor(6_000);
  const poll = await host.next(({ fingerprint }) => fingerprint === page.fingerprint);
  await host.frame.click("text=Show more");
  const longer = await host.next();
  assert.equal(longer.params.arguments.show.limit, 50);
  await host.answer(poll.id, resultWith({ ...page, fingerprint: "shorter" }));
  const fifty = view("pull_requests", "hundred", 6);
  fifty.facts.listed = fifty.facts.listed.slice(0, 50);
  await host.answer(longer.id, resultWith({ ...fifty, show: longer.params.arguments.show }));
  await until(
    host,
    "fifty rows",
    async () => (await host.frame.locator(".list > li").count()) === 50,
  );
  await host.close();
});

test("a press of Read again is heard though the poller waits, and two presses are one question", async () => {
  const host = await opened(view("builds", "running", 0, { motion: "moving" }));
  await host.page.clock.runFor(6_000);
  const poll = await host.next();
  await host.frame.click("[data-focus=again]");
  const pressed = await host.next();
  await host.frame.evaluate(() => document.querySelector("[data-focus=again]").click());
  const same = { format: 1, unchanged: true, read_at: new Date(START + 6_000).toISOString(), motion: "quiet" };
  await host.answer(poll.id, resultWith(same));
  await host.answer(pressed.id, resultWith(same));
  // Twice: the second answer to one question is nobody's.
  await host.answer(pressed.id, { isError: true, content: [{ type: "text", text: "twice" }] });
  await until(host, "the word to the person", () =>
    host.frame.evaluate(() => document.querySelector(".status-line").textContent === "Nothing has changed."),
  );
  assert.doesNotMatch(await host.text(), /twice|Reading…/);
  assert.equal((await host.sent("tools/call")).length, 2);
  await host.close();
});

test("the result that was drawn first changes nothing when it comes once more, wherever the person is", async () => {
  const list = view("pull_requests", "open", 0, { motion: "still" });
  const host = await opened(list);
  const again = [
    resultWith(list),
    { content: [{ type: "text", text: "Open pull requests." }] },
    { isError: true, content: [{ type: "text", text: "The list could not be read." }] },
  ];
  await host.frame.click("[data-focus='open #42']");
  const call = await host.next();
  for (const result of again) await host.notify("ui/notifications/tool-result", result);
  await host.log();
  assert.match(await host.text(), /^\s*Back[\s\S]*Reading the pull request|Reading the pull request[\s\S]*Back/);
  await host.answer(call.id, resultWith(view("pull_request", "world-open", 1, { motion: "still" })));
  await heading(host, TITLE);
  for (const result of again) await host.notify("ui/notifications/tool-result", result);
  await host.log();
  assert.doesNotMatch(await host.text(), /could not be read|last read failed/);
  await heading(host, TITLE);
  await host.frame.click("[data-focus=back]");
  await heading(host, LIST);
  assert.equal((await host.sent("tools/call")).length, 1);
  await host.close();
});

test("an answer that comes when the person has gone back is nobody's", async () => {
  const host = await opened(view("pull_requests", "open", 0, { motion: "still" }));
  await host.frame.click("[data-focus='open #42']");
  const call = await host.next();
  await host.frame.click("[data-focus=back]");
  await heading(host, LIST);
  await host.answer(call.id, resultWith(view("pull_request", "world-open", 9)));
  await host.log();
  await heading(host, LIST);
  assert.equal(await host.frame.locator("[data-focus=back]").count(), 0);
  await host.page.clock.runFor(40_000);
  await heading(host, LIST);
  assert.deepEqual(host.errors, []);
  await host.close();
});

test("another pull request that comes into the same frame is no change of the one before", async () => {
  const host = await opened(view("pull_request", "world-open"));
  await host.notify(
    "ui/notifications/tool-result",
    resultWith(view("pull_request", "world-merged", 5)),
  );
  await until(host, "the other one", () =>
    host.frame.evaluate((words) => document.querySelector("h1").innerText !== words, TITLE),
  );
  await host.page.clock.runFor(11_000);
  assert.deepEqual(await host.sent("ui/update-model-context"), []);
  assert.equal(await host.frame.textContent(".status-line"), "");
  await host.close();
});

test("a sign that nothing came does not take the place of a view that is being opened", async () => {
  const host = await openFrame(browser.context, {
    clock: START,
    requests: "silence",
    initialize: initialized({ capabilities: { serverTools: {} } }),
  });
  const list = view("pull_requests", "open", 0, { motion: "still" });
  await host.notify("ui/notifications/tool-input", { arguments: list.show });
  await host.notify("ui/notifications/tool-result", { content: [] });
  const [call] = await until(host, "the question", async () => {
    const calls = await host.sent("tools/call");
    return calls.length > 0 && calls;
  });
  await host.answer(call.id, resultWith(list));
  await host.frame.click("[data-focus='open #42']");
  // The ten seconds of the first question end while the second one is under way.
  await host.page.clock.runFor(12_000);
  assert.match(await host.text(), /Reading the pull request/);
  await host.close();
});

test("an answer of another version of bb leaves what is drawn, and says what to do", async () => {
  const host = await opened(view("builds", "running", 0, { motion: "moving" }));
  await host.page.clock.runFor(6_000);
  const poll = await host.next();
  await host.answer(poll.id, resultWith({ ...view("builds", "running", 6), format: 2 }));
  await host.frame.waitForSelector("text=of another version of bb than this page");
  assert.match(await host.text(), /Reload the chat/);
  await heading(host, "Builds");
  await host.close();
});

test("another view that the host hands into the frame is drawn, however long ago it was read", async () => {
  const host = await opened(view("pull_request", "world-open", 3_600, { motion: "still" }));
  const list = view("pull_requests", "open", 0, { motion: "still" });
  await host.notify("ui/notifications/tool-input", { arguments: list.show });
  await host.notify("ui/notifications/tool-result", resultWith(list));
  await heading(host, LIST);
  // An older state of the same view is none.
  const older = view("pull_requests", "open", -60, { motion: "still", fingerprint: "older" });
  older.facts.listed = [];
  await host.notify("ui/notifications/tool-result", resultWith(older));
  await host.log();
  assert.ok((await host.frame.locator(".list > li").count()) > 0);
  await host.close();
});

test("the stored result of a list that was asked for longer since does not make it short again", async () => {
  const page = view("pull_requests", "page", 0, { motion: "still" });
  const host = await opened(page, "fullscreen");
  await host.frame.click("text=Show more");
  const longer = await host.next();
  const fifty = view("pull_requests", "hundred", 6, { motion: "still" });
  fifty.facts.listed = fifty.facts.listed.slice(0, 50);
  await host.answer(longer.id, resultWith({ ...fifty, show: longer.params.arguments.show }));
  const rows = () => host.frame.locator(".list > li").count();
  await until(host, "fifty rows", async () => (await rows()) === 50);
  await host.notify("ui/notifications/tool-result", resultWith(page));
  await host.log();
  assert.equal(await rows(), 50);
  await host.close();
});

test("the stored result of a form does not take the place of the card that it became", async () => {
  const form = view("create_pull_request", "world-one-commit", 0, {
    offers: { ...OFFERS, tools: ["create_pull_request"] },
  });
  const host = await opened(form);
  await host.frame.click("[data-focus=Create]");
  const made = await host.next(({ title }) => title !== undefined);
  await host.answer(made.id, { content: [], _meta: { "bb/outcome": { done: true, id: 42, url: "" } } });
  const read = await host.next(({ show }) => show?.kind === "pull_request");
  await host.answer(read.id, resultWith(view("pull_request", "world-open", 6, { motion: "still" })));
  await heading(host, TITLE);
  await host.notify("ui/notifications/tool-result", resultWith(form));
  await host.log();
  await heading(host, TITLE);
  await host.close();
});

test("the model is told that there are changes which it is not told", async () => {
  const host = await opened(view("pull_request", "world-open"));
  const told = async () => {
    await host.page.clock.runFor(11_000);
    return until(host, "the model", async () =>
      (await host.sent("ui/update-model-context")).at(-1)?.params.content[0].text,
    );
  };
  let at = 0;
  const turned = async (title) => {
    at += 1;
    const one = view("pull_request", "world-open", at, { motion: "still", fingerprint: `${at}` });
    one.facts.title = title;
    await host.notify("ui/notifications/tool-result", resultWith(one));
    await heading(host, title);
  };
  await turned("Once");
  assert.doesNotMatch(await told(), /More changes/);
  for (const sign of "abcdefghi") await turned(sign.repeat(110));
  await turned("The end");
  const text = await told();
  assert.ok([...text].length <= 1_000, text);
  assert.match(text, /Changes since it was shown, newest first: Its title is now "The end"\./);
  assert.match(text, / More changes do not fit here\.$/);
  await host.close();
});
