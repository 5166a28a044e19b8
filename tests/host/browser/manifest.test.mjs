// Views that a team brings, from approval to the screen: the real bb, the official AppBridge, Chromium, the declared policy.
//
// Never lets a view speak to anything but its own server. Start at open(); the examples are those of fixtures/manifests.

import assert from "node:assert/strict";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, suite, test } from "node:test";
import { readStandin, startStandin, textOf } from "../support.mjs";
import { openBridge } from "./bridge.mjs";
import { dresses, measure } from "./measure.mjs";
import { initialized, openBrowser, openFrame, until } from "./support.mjs";
import { approve, example, manifest, openState, policyOf, run, serve, viewOf } from "./teams.mjs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const PLACE = { project: "ACME", repo: "rocket" };
const RANGE = { release: "v1.5.0", since: "v1.4.0" };

let browser;
let standin;
let state;
/** What is closed after each test. */
let open_;
/** What this test's views called, in order, with what came. */
let calls;

before(async () => (browser = await openBrowser()));
after(() => browser.close());
beforeEach(async () => {
  standin = await startStandin();
  state = openState();
  open_ = [];
  calls = [];
});
afterEach(async () => {
  for (const close of open_.reverse()) await close();
  await standin.stop();
  state.close();
});

/** A client of an example, approved. */
async function team(name, elicit) {
  approve(state, example(name));
  return started(name.replace("-", "_"), elicit);
}

async function started(id, elicit) {
  const client = await serve(standin, state, id, elicit);
  open_.push(() => client.close());
  return client;
}

/** The view of a tool in AppBridge, under the policy that it declares, its calls handed on to its own server. */
async function open(client, tool, args, { change = (result) => result, clock } = {}) {
  const { html, ui } = await viewOf(client, tool);
  const host = await openBridge(browser.context, {
    html,
    policy: policyOf(ui),
    clock,
    calls: async ({ name, arguments: given }) => {
      const call = { name, arguments: given };
      calls.push(call);
      try {
        call.result = await client.callTool({ name, arguments: given });
        return call.result;
      } catch (error) {
        call.refused = error.message;
        throw error;
      }
    },
  });
  open_.push(() => host.page.close());
  const result = await client.callTool({ name: tool, arguments: args });
  await host.input(args);
  await host.result(change(result));
  return { host, result, ui };
}

const says = (host, words, where = "main") =>
  until(host, words, () =>
    host.frame.evaluate(([at, text]) => document.querySelector(at).innerText.includes(text), [where, words]),
  );
const called = (host, name, times = 1) =>
  until(host, `${times} calls of ${name}`, () =>
    calls.filter((call) => call.name === name && (call.result || call.refused)).length >= times,
  );
const press = (host, words) => host.frame.locator("button", { hasText: words }).first().click();

/** What the model does for a wall: it looks, and passes on what is worth showing. */
async function tiles(client, ids) {
  const found = await client.callTool({ name: "find_open_pull_requests", arguments: PLACE });
  const wanted = found.structuredContent.pull_requests.filter(({ id }) => ids.includes(id));
  return Promise.all(
    wanted.map(async ({ id, title, author }) => {
      const read = await client.callTool({ name: "builds_of_pull_request", arguments: { ...PLACE, id } });
      return { repo: PLACE.repo, id, title, author, builds: read.structuredContent.counts };
    }),
  );
}

suite("the release board", () => {
  for (const [name, change] of [
    ["as it came", undefined],
    ["with the text alone", ({ content }) => ({ content })],
  ]) {
    test(`is drawn from a result ${name}, and asks for nothing by itself`, async () => {
      const client = await team("release-board");
      const { host, result, ui } = await open(client, "render_release_board", { ...PLACE, ...RANGE, ids: [41] }, { change });
      await says(host, "Release v1.5.0");
      for (const words of ["ACME/rocket since v1.4.0: 1 pull request by 1 author", "Mira Solano", "#41", "Read the newest sample"])
        await says(host, words);
      // What is seen stands in the text that the model reads.
      for (const words of ["v1.5.0", "v1.4.0", "mira.solano (Mira Solano)", "Read the newest sample"])
        assert.ok(textOf(result).includes(words), textOf(result));
      assert.ok(!(await host.text()).includes("Note the tank"));
      assert.deepEqual(ui, { prefersBorder: true });
      await says(host, "New tag");
      assert.deepEqual(calls, []);
      assert.deepEqual(host.errors, []);
    });
  }

  test("opens a pull request in place, and its link through the host", async () => {
    const client = await team("release-board");
    const { host } = await open(client, "render_release_board", { ...PLACE, ...RANGE, ids: [41, 9] });
    await says(host, "Merged too, but not among the 2 newest: #9.");
    await press(host, "Read the newest sample");
    await says(host, "Approved by Idris Vale, Wren Okafor");
    assert.equal(await host.frame.locator("[data-key='pull 41']").getAttribute("aria-expanded"), "true");
    assert.equal(await host.frame.evaluate(() => document.activeElement.getAttribute("data-key")), "pull 41");
    await press(host, "Open in Bitbucket");
    await until(host, "the link", async () => (await host.seen("links")).length === 1);
    assert.match((await host.seen("links"))[0], /\/projects\/ACME\/repos\/rocket\/pull-requests\/41$/);
    assert.deepEqual(host.errors, []);
  });

  test("shows another range as the model would, and tells the model", async () => {
    const client = await team("release-board");
    const { host } = await open(client, "render_release_board", { ...PLACE, ...RANGE, ids: [] });
    await says(host, "No pull request was merged between v1.4.0 and v1.5.0.");
    await press(host, "Other tags");
    await says(host, "Since");
    await host.frame.locator("[data-key=since]").selectOption("v1.4.0");
    await host.frame.locator("[data-key=release]").selectOption("v1.5.0");
    await press(host, "Show");
    await says(host, "Read the newest sample");
    await until(host, "the word to the model", async () => (await host.seen("contexts")).length === 1);
    assert.match((await host.seen("contexts"))[0].content[0].text, /v1\.5\.0 since v1\.4\.0: 1 pull request\. Mira Solano: #41/);
    assert.deepEqual(
      calls.map(({ name }) => name),
      ["release_tags", "find_merged_between", "render_release_board"],
    );
    assert.deepEqual(host.errors, []);
  });

  test("has the person asked before a tag, and creates it only where they agree", async () => {
    const questions = [];
    let answer = { action: "decline" };
    const client = await team("release-board", (params) => {
      questions.push(params.message);
      return answer;
    });
    const { host } = await open(client, "render_release_board", { ...PLACE, ...RANGE, ids: [41] });
    await says(host, "New tag");
    await press(host, "New tag");
    assert.equal(await host.frame.evaluate(() => document.activeElement.getAttribute("data-key")), "name");
    await press(host, "Create tag");
    await says(host, "A tag needs a name", "[role=status]");
    await host.frame.locator("[data-key=name]").fill("v1.5.1");
    await press(host, "Create tag");
    await says(host, "declined", "[role=status]");
    // What was typed is still there.
    assert.equal(await host.frame.locator("[data-key=name]").inputValue(), "v1.5.1");
    answer = { action: "accept", content: { confirm: true } };
    await press(host, "Create tag");
    await says(host, "v1.5.1 was created.", "[role=status]");
    assert.equal(questions.length, 2);
    assert.ok(questions.every((text) => text.includes("v1.5.1")), questions.join());
    const { structuredContent } = await client.callTool({ name: "release_tags", arguments: PLACE });
    assert.ok(structuredContent.tags.some(({ displayId }) => displayId === "v1.5.1"));
    assert.deepEqual(host.errors, []);
  });

  test("says what went wrong in the words of the tool", async () => {
    const client = await team("release-board");
    const { host } = await open(client, "render_release_board", { ...PLACE, repo: "nowhere", ...RANGE, ids: [1] });
    await says(host, "Repository ACME/nowhere does not exist", "[role=status]");
    await says(host, "There is nothing to show.");
    assert.deepEqual(host.errors, []);
  });
});

suite("the build wall", () => {
  for (const [name, change] of [
    ["as it came", undefined],
    ["with the text alone", ({ content }) => ({ content })],
  ]) {
    test(`is drawn from a result ${name}, what failed first`, async () => {
      const client = await team("build-wall");
      const shown = { project: "ACME", pull_requests: await tiles(client, [42, 54, 55]) };
      const { host, result } = await open(client, "render_build_wall", shown, { change });
      await says(host, "Build wall of ACME");
      const seen = await host.frame.locator(".tile").allInnerTexts();
      assert.match(seen[0], /rocket #42[^]*2 failed[^]*Light the engine/);
      assert.equal(seen.length, 3);
      for (const { id, title, builds } of shown.pull_requests) {
        const told = JSON.parse(textOf(result)).pull_requests.find((one) => one.id === id);
        assert.deepEqual({ title: told.title, builds: told.builds }, { title, builds });
      }
      await says(host, "Read again");
      assert.deepEqual(calls, []);
      assert.deepEqual(host.errors, []);
    });
  }

  test("opens a tile's builds in place", async () => {
    const client = await team("build-wall");
    const shown = { project: "ACME", pull_requests: await tiles(client, [42, 54]) };
    const { host } = await open(client, "render_build_wall", shown);
    await says(host, "Light the engine");
    await press(host, "Light the engine");
    await says(host, "CI » build (arm)");
    await says(host, "3 failed tests");
    await host.frame.locator("button[aria-label='Open CI » test']").click();
    await until(host, "the link", async () => (await host.seen("links")).length === 1);
    assert.deepEqual(await host.seen("links"), ["https://ci.example.com/test/902"]);
    // An address that is none of the web has no link.
    assert.equal(await host.frame.locator("button[aria-label='Open Orbit simulation']").count(), 0);
    assert.deepEqual(host.errors, []);
  });

  test("reads all of the project again at a press", async () => {
    const client = await team("build-wall");
    const shown = { project: "ACME", pull_requests: await tiles(client, [54]) };
    const { host } = await open(client, "render_build_wall", shown);
    await says(host, "1 open pull request:");
    await press(host, "Read again");
    await says(host, "gantry #7");
    await says(host, "rocket #42");
    await until(host, "the word to the model", async () => (await host.seen("contexts")).length === 1);
    assert.match((await host.seen("contexts"))[0].content[0].text, /The build wall of ACME shows \d+ open pull requests: 1 failed/);
    assert.deepEqual(host.errors, []);
  });

  test("reads running builds again by itself, and stops when none runs", async () => {
    const client = await team("build-wall");
    const shown = { project: "ACME", pull_requests: await tiles(client, [54, 55]) };
    const { host } = await open(client, "render_build_wall", shown, { clock: Date.now() });
    await says(host, "1 in progress");
    await host.page.clock.runFor(31_000);
    await called(host, "builds_of_pull_request");
    await says(host, "read at");
    await says(host, "1 in progress");
    const { fromRef } = await readStandin(standin, "/rest/api/latest/projects/ACME/repos/rocket/pull-requests/55");
    const running = calls[0].result.structuredContent.builds.find((build) => build.state === "INPROGRESS");
    await standin.step({
      step: "build",
      repository: "ACME/rocket",
      commit: fromRef.latestCommit,
      fields: { key: running.key, name: running.name, ref: running.ref, url: running.url, state: "SUCCESSFUL" },
    });
    // Nothing had changed, so it waits twice as long.
    await host.page.clock.runFor(61_000);
    await called(host, "builds_of_pull_request", 2);
    await says(host, "2 open pull requests: 2 passed");
    await until(host, "the word to the model", async () => (await host.seen("contexts")).length === 1);
    // Only what ran was read, and now that nothing runs nothing is.
    await host.page.clock.runFor(3_600_000);
    assert.match(await host.text(), /2 passed/);
    assert.deepEqual(
      calls.map((call) => call.arguments.id),
      [55, 55],
    );
    assert.deepEqual(host.errors, []);
  });

  test("ends with its teardown", async () => {
    const client = await team("build-wall");
    const shown = { project: "ACME", pull_requests: await tiles(client, [55]) };
    const { host } = await open(client, "render_build_wall", shown, { clock: Date.now() });
    await says(host, "1 in progress");
    await host.page.evaluate(() => window.host.teardownResource({}));
    await host.page.clock.runFor(3_600_000);
    assert.match(await host.text(), /1 in progress/);
    assert.deepEqual(calls, []);
    assert.deepEqual(host.errors, []);
  });

  test("reaches no tool that its review did not name", async () => {
    const client = await team("build-wall");
    const shown = { project: "ACME", pull_requests: await tiles(client, [54]) };
    const { host } = await open(client, "render_build_wall", shown);
    await says(host, "Build wall of ACME");
    const { said } = manifest(state, "review", "build_wall");
    const named = /^Its views can call: (.*)\. Nothing else of bb's\.$/m.exec(said)[1].split(", ");
    const { tools } = await client.listTools();
    assert.deepEqual(named, tools.map(({ name }) => name));

    /** As a page that was up to something would: past its own functions, straight to the host. */
    const reach = (name, args) =>
      host.frame.evaluate(
        ([tool, given]) =>
          new Promise((resolve) => {
            const id = `reach ${tool}`;
            addEventListener("message", ({ data }) => data.id === id && resolve(data));
            parent.postMessage({ jsonrpc: "2.0", id, method: "tools/call", params: { name: tool, arguments: given } }, "*");
          }),
        [name, args],
      );
    const own = JSON.parse(readFileSync(new URL("../../../fixtures/manifests/release-board.json", import.meta.url), "utf8"));
    const others = [
      "list_pull_requests", "get_build_status", "search_repositories", "get_file", "search_code", "merge_pull_request",
      "create_tag", "show", "refresh_view", ...own.tools.map(({ name }) => name),
    ];
    for (const name of others) {
      const answer = await reach(name, { ...PLACE, id: 42, path: "README.md", query: "secret", name: "x", start_point: "main" });
      assert.ok(answer.error, `${name}: ${JSON.stringify(answer)}`);
      assert.match(calls.at(-1).refused, /there is no tool/);
    }
    assert.equal(calls.length, others.length);
    for (const name of named) assert.ok((await reach(name, {})).result, name);
    // Nor any page but its own.
    for (const uri of ["ui://bb/view", "ui://release_board/board-00000000"])
      await assert.rejects(client.readResource({ uri }));
  });
});

// ---- approval ----

const CURIOUS = {
  manifest: 1,
  app: { id: "curious", name: "Curious", version: "1.0.0" },
  ui: [
    {
      name: "page",
      title: "Curious",
      html: `<!doctype html><html lang="en"><head><title>Curious</title></head><body><main><p id="tried"></p></main><script>
        addEventListener("securitypolicyviolation", ({ blockedURI, effectiveDirective }) => {
          tried.append(effectiveDirective + " " + blockedURI + "\\n");
        });
        parent.postMessage({ jsonrpc: "2.0", id: 1, method: "ui/initialize", params: { protocolVersion: "2026-01-26",
          appInfo: { name: "curious", version: "1" }, appCapabilities: {} } }, "*");
        addEventListener("message", ({ data }) => {
          if (data.id === 1) parent.postMessage({ jsonrpc: "2.0", method: "ui/notifications/initialized", params: {} }, "*");
        });
        const reach = (url) => fetch(url).catch(() => tried.append("failed " + new URL(url).host + "\\n"));
        reach("https://tiles.example.org/a");
        reach("https://elsewhere.example.org/b");
        new Image().src = "https://pictures.example.org/c.png";
      </script></body></html>`,
      csp: { connectDomains: ["https://tiles.example.org"] },
    },
  ],
  tools: [
    {
      name: "render_curious",
      description: "Shows a page.",
      inputSchema: { type: "object", properties: {} },
      tool: { name: "list_tags", args: PLACE },
      result: { tags: "{{tool.tags}}" },
      ui: { resource: "page" },
    },
  ],
};

suite("what is approved, and nothing else", () => {
  test("a view reaches the domains that its approval names, as the browser enforces it", async () => {
    approve(state, CURIOUS);
    const client = await started("curious");
    const { host, ui } = await open(client, "render_curious", {});
    assert.deepEqual(ui, { csp: { connectDomains: ["https://tiles.example.org"] } });
    await until(host, "three attempts", async () => {
      const text = await host.text();
      return ["elsewhere", "pictures", "failed tiles"].every((words) => text.includes(words));
    });
    const text = await host.text();
    assert.match(text, /connect-src https:\/\/elsewhere\.example\.org\/b/);
    assert.match(text, /img-src https:\/\/pictures\.example\.org\/c\.png/);
    // Let through by the policy; there is no network here.
    assert.doesNotMatch(text, /connect-src https:\/\/tiles/);
  });

  test("a copy of which one byte was changed is not served, and that is said", async () => {
    approve(state, example("build-wall"));
    const folder = join(state.folder, "manifests");
    const copy = join(folder, readdirSync(folder).find((name) => name !== "approvals.json"));
    const bytes = readFileSync(copy);
    bytes[bytes.indexOf("Build wall")] ^= 0x20;
    writeFileSync(copy, bytes);
    const said = manifest(state, "list").said;
    assert.match(said, /build_wall .* damaged/);
    assert.match(said, /build_wall is not served: .*SHA-256 differs/);
    const tried = run(["serve", "--manifest", "build_wall", "--state-dir", state.folder], {
      BITBUCKET_URL: standin.url,
      BITBUCKET_TOKEN: standin.token,
    });
    assert.deepEqual(tried.code, 5);
    assert.match(tried.said, /^bb: cannot serve the manifest build_wall: .*not what was approved: its SHA-256 differs\n$/);
    await assert.rejects(serve(standin, state, "build_wall"));
  });

  test("a higher version that was approved has a new address, and the old one is refused", async () => {
    approve(state, example("build-wall"));
    const before_ = await started("build_wall");
    const old = await viewOf(before_, "render_build_wall");
    const newer = JSON.parse(readFileSync(example("build-wall"), "utf8"));
    newer.app.version = "1.1.0";
    newer.ui[0].html = newer.ui[0].html.replace("Build wall of", "The wall of");
    const said = approve(state, newer);
    assert.match(said, /build_wall 1\.1\.0 is approved/);
    // What runs already goes on as it began.
    assert.equal((await viewOf(before_, "render_build_wall")).uri, old.uri);
    const client = await started("build_wall");
    const now = await viewOf(client, "render_build_wall");
    assert.notEqual(now.uri, old.uri);
    await assert.rejects(client.readResource({ uri: old.uri }), /not found|no page|no resource/i);
    const { host } = await open(client, "render_build_wall", { project: "ACME", pull_requests: await tiles(client, [54]) });
    await says(host, "The wall of ACME");
    assert.deepEqual(host.errors, []);
  });
});

// ---- how they look ----

suite("each example's page in every dress", () => {
  for (const [dress, { theme = "light", displayMode = "inline", variables, ...given }] of Object.entries(dresses)) {
    test(`${dress}: inside its frame, readable, and clean to axe`, async () => {
      for (const [name, tool, args, opens] of await drawings()) {
        const client = await team(name);
        const { html, ui } = await viewOf(client, tool);
        const given_ = typeof args === "function" ? await args(client) : args;
        const result = await client.callTool({ name: tool, arguments: given_ });
        const more = await client.callTool(opens.call);
        const host = await openFrame(browser.context, {
          ...given,
          html,
          policy: policyOf(ui),
          tools: [{ result: more }],
          initialize: initialized({ theme, displayMode, styles: { variables }, timeZone: "UTC", locale: "en-GB" }),
        });
        open_.push(() => host.close());
        await host.notify("ui/notifications/tool-result", result);
        await until(host, "the page", async () => (await host.text()).includes(opens.words));
        await host.frame.locator("button", { hasText: opens.words }).first().click();
        await until(host, "what it opens", async () => (await host.text()).includes(opens.shows));
        const found = await host.frame.evaluate(measure);
        assert.deepEqual(found.wide, [], `${name}: wider than the frame`);
        assert.deepEqual(found.pale, [], `${name}: hard to read`);
        assert.deepEqual(found.small, [], `${name}: targets under 24 px`);
        assert.equal(found.nameless, 0, `${name}: a control without a name`);
        assert.equal(found.headings, 1, `${name}: one h1`);
        await host.frame.evaluate(AXE);
        const { violations } = await host.frame.evaluate(() => window.axe.run(document));
        assert.deepEqual(
          violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html: node }) => node).join(" ")}`),
          [],
          name,
        );
        assert.deepEqual(host.errors, []);
      }
    });
  }
});

/** What is drawn: the manifest, the tool and its arguments, and what is pressed in it. */
function drawings() {
  return [
    ["release-board", "render_release_board", { ...PLACE, ...RANGE, ids: [41, 40] }, {
      words: "Read the newest sample",
      shows: "Approved by",
      call: { name: "pull_request_of_release", arguments: { ...PLACE, id: 41 } },
    }],
    ["build-wall", "render_build_wall", async (client) => ({ project: "ACME", pull_requests: await tiles(client, [42, 43, 54, 55]) }), {
      words: "Light the engine",
      shows: "CI » test",
      call: { name: "builds_of_pull_request", arguments: { ...PLACE, id: 42 } },
    }],
  ];
}
