// The form of a pull request in AppBridge, its calls answered by the real bb on a stand-in: filled in, submitted, refused,
// lost, cancelled; by mouse, by keyboard alone, without suggestions.
//
// Start at opened(). Whatever travels is waited for; that nothing was written is read from the stand-in's own log.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, suite, test } from "node:test";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { server, startStandin } from "../support.mjs";
import { openBridge } from "./bridge.mjs";
import { POLICY_OF_SPECIFICATION, ROOT, openBrowser, until } from "./support.mjs";

const RENDERS = {
  extensions: { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html;profile=mcp-app"] } },
};
const FORM = {
  kind: "create_pull_request",
  project: "ACME",
  repo: "rocket",
  source_branch: "feature/steam",
};
const CREATE = "/rest/api/latest/projects/ACME/repos/rocket/pull-requests";
const AXE = join(ROOT, "tests/host/browser/node_modules/axe-core/axe.min.js");

let browser;
let standin;
let clients;
let pages;

before(async () => (browser = await openBrowser()));
after(() => browser.close());
beforeEach(async () => {
  standin = await startStandin();
  clients = [];
  pages = [];
});
afterEach(async () => {
  await Promise.all(pages.map((page) => page.close()));
  await Promise.all(clients.map((client) => client.close()));
  await standin.stop();
});

/** The form in AppBridge, in the strictest frame, on a bb of its own. */
async function opened(args = {}, { flags = [], hostContext = {}, change = (result) => result, held = async () => {} } = {}) {
  const client = new Client({ name: "bb-tests", version: "1" }, { capabilities: RENDERS });
  await client.connect(
    new StdioClientTransport({ ...server(standin, ...flags), stderr: "inherit" }),
  );
  clients.push(client);
  const calls = [];
  const host = await openBridge(browser.context, {
    policy: POLICY_OF_SPECIFICATION,
    sandbox: "allow-scripts",
    hostContext,
    calls: async ({ name, arguments: args_ }) => {
      calls.push({ name, arguments: args_ });
      await held(args_);
      return client.callTool({ name, arguments: args_ });
    },
  });
  host.page.setDefaultTimeout(10_000);
  pages.push(host.page);
  const show = { ...FORM, ...args };
  const result = await client.callTool({ name: "show", arguments: show });
  await host.input(show);
  await host.result(change(result));
  await host.frame.waitForSelector("h1:text-is('Create pull request')");
  const { frame } = host;
  return {
    host,
    frame,
    calls,
    client,
    page: host.page,
    field: (name) => frame.locator(`#${name}`),
    value: (name) => frame.locator(`#${name}`).inputValue(),
    options: (name) => frame.locator(`#${name}-list li`),
    press: (words) => frame.click(`button:has(> span:text-is("${words}"))`),
    says: (words) => frame.waitForSelector(`text=${words}`),
    count: async (words) => frame.locator(`text=${words}`).count(),
    chips: () => frame.locator(".chip .person").allInnerTexts(),
    called: (name) => calls.filter((call) => call.name === name),
    told: (pattern) =>
      until(host, `the model told ${pattern}`, async () => {
        const told = (await host.seen("contexts")).at(-1)?.content[0].text ?? "";
        return pattern.test(told) ? told : null;
      }),
  };
}

/** What was written so far: none of the reads of a form is a POST. */
const writes = async () => (await standin.log()).filter(({ method }) => method !== "GET");

/** Waits until a list of suggestions is there, and gives its words. */
async function listed(form, name, words) {
  await form.frame.waitForSelector(`#${name}-list li:has-text("${words}")`);
  return form.options(name).allInnerTexts();
}

async function axe(form, what) {
  await form.frame.evaluate(readFileSync(AXE, "utf8"));
  const found = await form.frame.evaluate(async () => {
    const { violations } = await globalThis.axe.run(document, {
      // The page in its frame is a part of the host's document.
      rules: { region: { enabled: false } },
    });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
  });
  assert.deepEqual(found, [], what);
}

suite("the form of a pull request", () => {
  test("it is filled in, a fork's branch picked by keyboard, previewed, submitted, and becomes the card", async () => {
    const form = await opened();
    const { page, frame } = form;
    assert.equal(await form.value("title"), "Fly on steam");
    assert.equal(await form.value("target_branch"), "main");
    assert.deepEqual(await form.chips(), ["Idris Vale", "Mira Solano"]);
    await form.says("1 commit");
    await axe(form, "as it comes");

    await form.field("target_branch").focus();
    await form.field("target_branch").fill("rel");
    await listed(form, "target_branch", "release/2.0");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await until(form.host, "the target", async () => (await form.value("target_branch")) === "release/2.0");
    await form.field("source_repo").focus();
    await page.keyboard.press("ArrowDown");
    const family = await listed(form, "source_repo", "~idris.vale/rocket");
    assert.equal(family.length, 2);
    await form.says("2 of 2");
    await axe(form, "with suggestions");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    assert.match(await form.field("source_repo").getAttribute("aria-activedescendant"), /^source_repo-list1$/);
    await page.keyboard.press("Enter");
    await form.field("source_branch").focus();
    await form.field("source_branch").fill("red");
    await listed(form, "source_branch", "red-nose");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    // What the person has not touched is as Bitbucket's own form has it for these two.
    await until(form.host, "the branch's own title", async () => (await form.value("title")) === "Red nose");
    await form.says("4 commits");
    assert.deepEqual(await form.chips(), ["Idris Vale", "Mira Solano", "Petra Quill"]);

    await form.field("title").fill("Paint the nose");
    await form.says("14 of 255");
    await form.field("title").press("Enter");
    await form.field("description").fill("It is **red** now.");
    await form.press("Preview");
    await frame.waitForSelector(".markdown strong:text-is('red')");
    await form.press("Write");
    assert.equal(await form.value("description"), "It is **red** now.");
    await frame.click('button[aria-label="Remove Mira Solano"]');
    await form.field("reviewers").fill("propul");
    await listed(form, "reviewers", "Propulsion");
    await frame.click("#reviewers-list li");
    await until(form.host, "the group's people", async () => (await form.chips()).length === 4);
    assert.deepEqual(await form.chips(), ["Idris Vale", "Petra Quill", "Tomas Lindqvist", "نور حداد"]);
    assert.deepEqual(await writes(), [], "nothing is created before");

    await form.press("Create");
    await frame.waitForSelector("h1:text-is('Paint the nose')");
    assert.equal(await frame.locator("text=Reviewers").count() > 0, true);
    const made = await writes();
    assert.deepEqual(made.map(({ method, path }) => `${method} ${path}`), [`POST ${CREATE}`]);
    const [call] = form.called("create_pull_request");
    assert.deepEqual(call.arguments, {
      project: "ACME",
      repo: "rocket",
      source_repo: "~idris.vale/rocket",
      source_branch: "red-nose",
      target_branch: "release/2.0",
      title: "Paint the nose",
      description: "It is **red** now.",
      reviewers: ["idris.vale", "petra.quill", "tomas.lindqvist", "noor.haddad"],
      draft: false,
    });
    const told = await form.told(/Pull request #56 was created\./);
    assert.match(told, /\/projects\/ACME\/repos\/rocket\/pull-requests\/56/);
    assert.deepEqual(form.host.errors, []);
  });

  test("a reviewer who was typed and not picked is kept across a drawing, and asked for", async () => {
    const form = await opened();
    await form.field("reviewers").fill("petra.quill");
    await form.frame.click('button[aria-label="Remove Mira Solano"]');
    await until(form.host, "the chip gone", async () => (await form.chips()).length === 1);
    assert.equal(await form.value("reviewers"), "petra.quill");
    await form.press("Create");
    await form.frame.waitForSelector("h1:text-is('Fly on steam')");
    const [call] = form.called("create_pull_request");
    assert.deepEqual(call.arguments.reviewers, ["idris.vale", "petra.quill"]);
  });

  test("a reviewer who was typed and whom Bitbucket refuses stands among the others, and the field is empty", async () => {
    const form = await opened();
    await form.field("reviewers").fill("nobody.here");
    await form.press("Create");
    await form.frame.waitForSelector("#reviewers-said:has-text('nobody.here is not a user.')");
    assert.deepEqual(await form.chips(), ["Idris Vale", "Mira Solano", "nobody.here"]);
    assert.equal(await form.value("reviewers"), "");
  });

  test("a reviewer who is picked from the list leaves nothing of what was typed", async () => {
    const form = await opened();
    await form.field("reviewers").fill("petra");
    await listed(form, "reviewers", "Petra Quill");
    await form.frame.click("#reviewers-list li");
    await until(form.host, "the chip", async () => (await form.chips()).length === 3);
    assert.equal(await form.value("reviewers"), "");
    await form.press("Create");
    await form.frame.waitForSelector("h1:text-is('Fly on steam')");
    const [call] = form.called("create_pull_request");
    assert.deepEqual(call.arguments.reviewers, ["idris.vale", "mira.solano", "petra.quill"]);
  });

  test("a preview that comes late does not take the text away from who writes on", async () => {
    let release;
    const form = await opened(
      {},
      { held: ({ field }) => field === "description" && new Promise((resolve) => (release = resolve)) },
    );
    await form.field("description").fill("Half a ");
    await form.press("Preview");
    await until(form.host, "the question", () => release);
    await form.press("Write");
    await form.field("description").focus();
    release();
    // Its answer is here before the one to what is asked after it.
    await form.field("reviewers").fill("propul");
    await listed(form, "reviewers", "Propulsion");
    await form.field("description").fill("Half a thought");
    assert.equal(await form.value("description"), "Half a thought");
    assert.equal(await form.frame.locator(".markdown").count(), 0);
  });

  test("a preview that does not show all of the text says so", async () => {
    const form = await opened();
    await form.field("description").fill("A line.");
    await form.press("Preview");
    await form.frame.waitForSelector(".markdown >> text=A line.");
    assert.equal(await form.count("The rest is not shown"), 0);
    await form.press("Write");
    await form.field("description").evaluate((area) => {
      area.value = "*ö*\n\n".repeat(6_000);
      area.dispatchEvent(new Event("input"));
    });
    await form.press("Preview");
    await form.says("The rest is not shown.");
  });

  test("a press while one is under way does nothing", async () => {
    const form = await opened();
    await form.frame.evaluate(() => {
      const create = [...document.querySelectorAll("button")].find(
        (button) => button.innerText === "Create",
      );
      create.click();
      // The same button, and the one that was drawn in its place.
      create.click();
      [...document.querySelectorAll("button")]
        .filter((button) => button.innerText.startsWith("Create"))
        .forEach((button) => button.click());
    });
    await form.frame.waitForSelector("h1:text-is('Fly on steam')");
    assert.equal(form.called("create_pull_request").length, 1);
    assert.equal((await writes()).length, 1);
  });

  test("a reviewer whom Bitbucket refuses is said at that field, and nothing written is lost", async () => {
    const form = await opened({ reviewers: ["idris.vale", "nobody.here"] });
    await form.says("\\(not found\\)".replaceAll("\\", ""));
    await form.field("title").fill("My own words");
    await form.field("description").fill("Mine too.");
    await form.press("Create");
    await form.frame.waitForSelector("#reviewers-said:has-text('nobody.here is not a user.')");
    assert.equal(await form.field("reviewers").getAttribute("aria-invalid"), "true");
    assert.equal(await form.field("reviewers").getAttribute("aria-describedby"), "reviewers-said");
    await until(form.host, "the focus", () =>
      form.frame.evaluate(() => document.activeElement?.id === "reviewers"),
    );
    await axe(form, "with an error");
    assert.equal(await form.value("title"), "My own words");
    assert.equal(await form.value("description"), "Mine too.");
    await form.frame.click('button[aria-label="Remove nobody.here"]');
    await form.press("Create");
    await form.frame.waitForSelector("h1:text-is('My own words')");
    assert.equal((await writes()).length, 2, "the refused one, and the one that was done");
  });

  for (const title of ["", "t".repeat(256)])
    test(`a title of ${title.length} characters is said at its field without asking Bitbucket`, async () => {
      const form = await opened();
      await form.field("title").fill(title);
      await form.press("Create");
      await form.frame.waitForSelector("#title-said");
      assert.deepEqual(await writes(), []);
      assert.equal(await form.value("title"), title);
    });

  test("a lost answer is told, looked for, and found", async () => {
    const form = await opened();
    await standin.fault({ method: "POST", path: CREATE, effect: "half_body" });
    await form.field("title").fill("Lost and found");
    await form.press("Create");
    await form.says("it may have been created all the same");
    await form.says("Pull request #56 is open between the two already");
    assert.equal(await form.frame.locator("button:has-text('Create')").first().isDisabled(), true);
    assert.equal((await writes()).length, 1);
    await form.press("Show it here");
    await form.frame.waitForSelector("h1:text-is('Lost and found')");
    await form.press("Back");
    await form.frame.waitForSelector("h1:text-is('Create pull request')");
    assert.equal(await form.value("title"), "Lost and found");
  });

  test("a timeout is told, looked for, and offered again once it is known that nothing was created", async () => {
    const form = await opened({}, { flags: ["--request-timeout", "700ms"] });
    await standin.fault({ method: "POST", path: CREATE, effect: "stall" });
    await form.field("title").fill("In vain");
    await form.press("Create");
    await form.says("it may have been created all the same");
    await form.says("No pull request is open between the two.");
    assert.equal((await writes()).length, 1);
    assert.equal(await form.value("title"), "In vain");
    await form.press("Create");
    await form.frame.waitForSelector("h1:text-is('In vain')");
    assert.equal((await writes()).length, 2);
  });

  test("a pull request that somebody opened meanwhile stops it, with the way there", async () => {
    const form = await opened();
    await form.client.callTool({
      name: "create_pull_request",
      arguments: { project: "ACME", repo: "rocket", source_branch: "feature/steam", title: "Theirs" },
    });
    await form.press("Create");
    await form.says("Only one pull request may be open");
    await form.says("#56 Theirs");
    assert.equal(await form.frame.locator("button:has-text('Create')").first().isDisabled(), true);
    await axe(form, "with a notice");
  });

  test("any other refusal stands where it cannot be missed, and the form stays", async () => {
    const form = await opened();
    await standin.fault({
      method: "POST",
      path: CREATE,
      effect: { status: 409, message: "This repository is being moved." },
    });
    await form.field("description").fill("Kept.");
    await form.press("Create");
    await form.says("This repository is being moved.");
    await form.says("No pull request is open between the two.");
    assert.equal(await form.value("description"), "Kept.");
  });

  test("what is written outlives a theme, a width, a display mode and a reading", async () => {
    const form = await opened();
    await form.field("title").fill("Mine");
    await form.field("description").fill("Mine too");
    await form.frame.click('button[aria-label="Remove Mira Solano"]');
    await form.page.evaluate(() => {
      document.querySelector("iframe").style.width = "380px";
      window.host.setHostContext({
        theme: "dark",
        locale: "de-DE",
        displayMode: "fullscreen",
        availableDisplayModes: ["inline", "fullscreen"],
      });
    });
    await form.frame.waitForSelector("html[data-mode=fullscreen][data-theme=dark]");
    await form.press("Read again");
    await form.frame.waitForSelector("button:has-text('Read again')");
    assert.equal(await form.value("title"), "Mine");
    assert.equal(await form.value("description"), "Mine too");
    assert.deepEqual(await form.chips(), ["Idris Vale"]);
    await form.says("What you write is kept until this view closes.");
  });

  test("cancelling is a button that tells the model, and can be taken back", async () => {
    const form = await opened();
    await form.field("title").fill("Mine");
    await form.press("Cancel");
    await form.says("Cancelled. Nothing was created.");
    await form.told(/Cancelled\. Nothing was created\./);
    await axe(form, "cancelled");
    await form.press("Go on with it");
    assert.equal(await form.value("title"), "Mine");
    assert.deepEqual(await writes(), []);
  });

  test("by keyboard alone it is filled in and submitted", async () => {
    const form = await opened();
    const { page, frame } = form;
    const focus = () =>
      frame.evaluate(() => document.activeElement?.id || document.activeElement?.innerText || "");
    const tabTo = async (wanted) => {
      for (let press = 0; press < 40; press += 1) {
        if ((await focus()) === wanted) return;
        await page.keyboard.press("Tab");
      }
      throw new Error(`Tab never reaches ${wanted}; it stands at ${await focus()}`);
    };
    await frame.evaluate(() => document.querySelector("a, button").focus());
    await tabTo("title");
    await page.keyboard.press("Control+A");
    await page.keyboard.type("By keyboard");
    await tabTo("Preview");
    await page.keyboard.press("Enter");
    await tabTo("reviewers");
    await page.keyboard.type("noor");
    await listed(form, "reviewers", "noor.haddad");
    await page.keyboard.press("Escape");
    assert.equal(await form.options("reviewers").first().isVisible(), false);
    await page.keyboard.press("ArrowDown");
    await listed(form, "reviewers", "noor.haddad");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await until(form.host, "the chip", async () => (await form.chips()).includes("نور حداد"));
    assert.equal(await focus(), "reviewers");
    await tabTo("Create");
    await page.keyboard.press("Enter");
    await frame.waitForSelector("h1:text-is('By keyboard')");
    assert.equal((await writes()).length, 1);
  });

  test("without suggestions it still works, by typing", async () => {
    const form = await opened({}, { flags: ["--exclude", "suggest_form_values"] });
    assert.equal(await form.frame.locator("[role=combobox]").count(), 0);
    assert.equal(await form.count("Preview"), 0);
    await axe(form, "without suggestions");
    await form.field("target_branch").fill("release/2.0");
    await form.field("target_branch").press("Enter");
    await form.says("2 commits");
    await form.field("reviewers").fill("noor.haddad");
    await form.field("reviewers").press("Enter");
    await until(form.host, "the chip", async () => (await form.chips()).includes("noor.haddad"));
    await form.field("title").fill("Typed");
    await form.press("Create");
    await form.frame.waitForSelector("h1:text-is('Typed')");
    assert.deepEqual(form.called("create_pull_request")[0].arguments.target_branch, "release/2.0");
    assert.equal(form.called("suggest_form_values").length, 0);
  });

  test("it asks 200 ms after the last key, once", async () => {
    const form = await opened();
    await form.field("reviewers").pressSequentially("tomas");
    await listed(form, "reviewers", "Tomas Lindqvist");
    const asked = form.called("suggest_form_values").map((call) => call.arguments.text);
    assert.ok(asked.length <= 2 && asked.at(-1) === "tomas", asked.join());
    assert.deepEqual(await writes(), []);
  });

  test("a host that takes the data away has it asked for once, and no more", async () => {
    const form = await opened({}, { change: ({ content, isError }) => ({ content, isError }) });
    assert.equal(form.called("refresh_view").length, 1);
    await form.field("title").fill("Here");
    await form.press("Cancel");
    await form.told(/Cancelled/);
    assert.equal(form.called("refresh_view").length, 1);
  });
});
