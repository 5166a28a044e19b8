// A person at work: from the list to the merge, in the official AppBridge, on the real bb over a pipe, on the stand-in.
//
// Every press is a person's; what others do is the stand-in's. Start at the one test.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { server, startStandin } from "../support.mjs";
import { openBridge } from "./bridge.mjs";
import { POLICY_OF_SPECIFICATION, arrived, openBrowser, until } from "./support.mjs";

const RENDERS = {
  elicitation: { form: {} },
  extensions: { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html;profile=mcp-app"] } },
};
const LIST = { kind: "pull_requests", project: "ACME", repo: "rocket" };
const TITLE = "Say when it is ready";
const AT = "/projects/ACME/repos/rocket/pull-requests/54";
/** The build that the person watches, on the source commit. */
const BUILD = {
  key: "lint-1",
  parent: "ci/lint",
  name: "CI » lint",
  url: "https://ci.example.com/lint/1",
  ref: "refs/heads/docs/ready",
};

let browser;
let standin;
let client;
/** What bb asked the person through the client. */
const questions = [];
/** What the view called, in order. */
const calls = [];

before(async () => {
  browser = await openBrowser();
  standin = await startStandin();
  client = new Client({ name: "bb-tests", version: "1" }, { capabilities: RENDERS });
  client.setRequestHandler("elicitation/create", ({ params }) => {
    questions.push(params.message);
    const [box] = params.requestedSchema.required;
    return { action: "accept", content: { [box]: true } };
  });
  await client.connect(new StdioClientTransport({ ...server(standin), stderr: "inherit" }));
});
after(async () => {
  await browser.close();
  await client.close();
  await standin.stop();
});

/** What the list is read from, what a pull request is, and what its diff is: nothing else is ever asked. */
const REPOSITORY = "/projects/ACME/repos/rocket";
const OF_LIST = [`${REPOSITORY}/pull-requests`, `${REPOSITORY}/build-summaries`];
const OF_ONE = [
  AT,
  ...["activities", "auto-merge", "blocker-comments", "builds", "merge"].map((part) => `${AT}/${part}`),
  `${REPOSITORY}/conditions`,
  `${REPOSITORY}/settings/pull-requests`,
  `${REPOSITORY}/branchmodel`,
  "/application-properties",
];
const OF_DIFF = [AT, `${AT}/diff`, `${AT}/changes`, `${AT}/merge`, `${AT}/builds`];

/** What the stand-in was asked since the last time, of which reads these are allowed: writes and reads, in order. */
let heard = 0;
async function asked(...allowed) {
  const log = (await standin.log()).slice(heard);
  heard += log.length;
  const short = ({ path }) => path.replace(/^\/rest\/[a-z-]+\/(latest|1\.0)/, "").replace(/\?.*/, "");
  const failed = log.filter(({ method, status }) => status >= (method === "GET" ? 500 : 400));
  assert.deepEqual(failed, []);
  const reads = log.filter(({ method }) => method === "GET").map(short);
  const known = new Set(allowed.flat());
  const other = reads.filter((path) => !known.has(path) && !/^\/users\/[^/]+\/avatar\.png$/.test(path));
  assert.deepEqual(other, [], "asked without need");
  const writes = log.filter(({ method }) => method !== "GET").map((one) => `${one.method} ${short(one)}`);
  return { writes, reads };
}

/** The one string of what a result told the model. */
const told = async (host) => (await host.seen("contexts")).at(-1)?.content[0].text ?? "";

test("a person works from the list to the merge, and the model is told at each step", { timeout: 240_000 }, async () => {
  const host = await openBridge(browser.context, {
    policy: POLICY_OF_SPECIFICATION,
    clock: Date.now(),
    hostContext: { displayMode: "fullscreen" },
    calls: async ({ name, arguments: args }) => {
      calls.push({ name, args });
      return client.callTool({ name, arguments: args });
    },
  });
  host.page.setDefaultTimeout(30_000);
  const press = (words) => host.frame.click(`button:has(> span:text-is("${words}"))`);
  const says = (words) =>
    until(host, `the words ${words}`, async () => words.test(await host.text()));
  /** The model hears at most every ten seconds. */
  const isTold = (words) =>
    until(host, `the model to be told ${words}`, async () => {
      await host.page.clock.runFor(1_000);
      return words.test(await told(host));
    });
  const heading = (words) =>
    until(host, `the heading ${words}`, () =>
      host.frame.evaluate((wanted) => document.querySelector("h1")?.innerText === wanted, words),
    );
  const names = () => calls.map(({ name }) => name);
  /** Waits for the end of a deed, which is the reading that follows it. */
  const settled = () =>
    until(host, "the end of the deed", async () => {
      await arrived(host.page, host.frame);
      return !/Under way|Reading again/.test(await host.text());
    });

  // The list, and one of it opened in place.
  await host.input(LIST);
  await host.result(await client.callTool({ name: "show", arguments: LIST }));
  await heading("Open pull requests");
  const first = await asked(OF_LIST);
  assert.deepEqual(first.writes, []);
  for (const path of OF_LIST) assert.equal(first.reads.filter((one) => one === path).length, 1, path);
  await host.frame.click("[data-focus='open #54']");
  await heading(TITLE);
  assert.deepEqual(calls, [
    {
      name: "refresh_view",
      args: { show: { kind: "pull_request", project: "ACME", repo: "rocket", id: 54 } },
    },
  ]);
  await isTold(/On screen: pull request ACME\/rocket #54 "Say when it is ready": open, 1 of 2/);
  assert.deepEqual((await asked(OF_ONE)).writes, []);

  // The diff.
  await press("Diff");
  await host.frame.waitForSelector(".view-diff .diff");
  await isTold(/On screen: the diff of Pull request #54/);
  assert.deepEqual((await asked(OF_DIFF, OF_ONE)).writes, []);

  // A comment on a line of it.
  await host.frame.evaluate(() => document.querySelector(".number-button").click());
  await host.frame.fill(".line-write textarea", "Why not *sooner*?");
  await host.frame.click(".line-write [data-focus^='send 0']");
  await host.frame.waitForSelector(".line-threads:not(.line-write) >> text=Why not sooner?");
  await settled();
  await isTold(/The person commented on \S+:\d+ of pull request #54/);
  // Which sort of line it is, the tool reads of that file's diff.
  const ofLine = `${AT}/diff/docs/ready.md`;
  assert.deepEqual((await asked(OF_DIFF, OF_ONE, ofLine)).writes, [`POST ${AT}/comments`]);
  await press("Back");
  await heading(TITLE);
  await isTold(/On screen: pull request ACME\/rocket #54/);
  assert.deepEqual((await asked(OF_DIFF, OF_ONE)).writes, []);

  // A build that others run: nothing is touched, every minute is the clock's.
  const pressed = calls.length;
  const commit = await commitOf();
  for (const [state, words, model] of [
    ["INPROGRESS", /CI » lint[\s\S]*In progress/, /Build CI » lint: in progress/],
    ["FAILED", /1 failed build/, /Build CI » lint: failed \(was in progress\)/],
    ["SUCCESSFUL", /All builds successful|3 successful/i, /Build CI » lint: successful \(was failed\)/],
  ]) {
    await standin.step({
      step: "build",
      repository: "ACME/rocket",
      commit,
      fields: { ...BUILD, state },
    });
    await until(host, `the build ${state}`, async () => {
      await host.page.clock.runFor(1_000);
      return words.test(await host.text());
    });
    await isTold(model);
  }
  const refreshes = calls.slice(pressed);
  assert.ok(refreshes.every(({ name }) => name === "refresh_view"));
  const watching = await asked(OF_ONE);
  assert.deepEqual(watching.writes, []);
  // Each refresh reads the builds once.
  const builds = watching.reads.filter((path) => path === `${AT}/builds`).length;
  assert.ok(builds >= 3 && builds <= refreshes.length, `${builds} of ${refreshes.length}`);
  assert.deepEqual(questions, []);

  // Approve.
  await press("Approve");
  await host.frame.waitForSelector("button[aria-pressed=true]:has-text('Approved')");
  await settled();
  await isTold(/The person approved pull request #54/);
  assert.deepEqual((await asked(OF_ONE)).writes, [`PUT ${AT}/participants/wren.okafor`]);
  assert.equal(questions.length, 1);

  // Comment, answer, a task, and the task ticked off.
  await host.frame.click(".part-activity [data-focus='open comment']");
  await host.frame.fill("textarea", "Reads *well*.");
  await host.frame.click(".editor [data-focus='send 0 comment']");
  await says(/Reads well\./);
  await settled();
  await isTold(/The person commented on pull request #54/);
  assert.deepEqual((await asked(OF_ONE)).writes, [`POST ${AT}/comments`]);

  await host.frame.click("[data-focus='open comment']");
  await host.frame.fill("textarea", "Say it in the notes too.");
  await host.frame.click(".editor [data-focus='send 1 comment']");
  await says(/1 open task/);
  await settled();
  await isTold(/The person created a task on pull request #54/);
  assert.deepEqual((await asked(OF_ONE)).writes, [`POST ${AT}/comments`]);

  await press("Resolve task");
  await host.frame.waitForSelector("details.resolved summary:has-text('Say it in the notes too')");
  await settled();
  await isTold(/The person resolved a task of pull request #54/);
  const task = (await standin.log()).findLast(({ method }) => method === "PUT").path.match(/comments\/\d+$/)[0];
  assert.deepEqual((await asked(OF_ONE, `${AT}/${task}`)).writes, [`PUT ${AT}/${task}`]);

  // Merge, in two presses and a question of the client.
  await press("Merge");
  assert.deepEqual((await asked(OF_ONE)).writes, []);
  await press("Merge commit");
  await until(host, "the merge", async () => {
    await host.page.clock.runFor(500);
    return host.frame.evaluate(() => /\bMerged\b/.test(document.querySelector(".lozenge")?.innerText));
  });
  await settled();
  await isTold(/On screen: pull request ACME\/rocket #54 "Say when it is ready": merged/);
  assert.match(await told(host), /The person merged pull request #54/);
  assert.deepEqual((await asked(OF_ONE)).writes, [`POST ${AT}/merge`]);
  assert.equal(questions.length, 2);

  // Nothing is asked of what is merged, and the list that stands behind says so once it is back.
  const ended = calls.length;
  await host.page.clock.runFor(20 * 60_000);
  await arrived(host.page, host.frame);
  assert.equal(calls.length, ended);
  assert.deepEqual(await asked(), { writes: [], reads: [] });
  await press("Back");
  await heading("Open pull requests");
  await until(host, "the list without it", async () => {
    await host.page.clock.runFor(1_000);
    return !(await host.text()).includes(TITLE);
  });
  assert.deepEqual((await asked(OF_LIST)).writes, []);

  const writes = names().filter((name) => name !== "refresh_view");
  assert.deepEqual(writes, [
    "add_pr_comment",
    "submit_pr_review",
    "add_pr_comment",
    "add_pr_comment",
    "update_pr_comment",
    "merge_pull_request",
  ]);
  assert.deepEqual(host.errors, []);
  await host.page.close();
});

/** The source commit, as bb's own tool tells it. */
async function commitOf() {
  const result = await client.callTool({
    name: "get_pull_request",
    arguments: { project: "ACME", repo: "rocket", id: 54 },
  });
  await asked(OF_ONE);
  return JSON.parse(result.content[0].text).fromRef.latestCommit;
}
