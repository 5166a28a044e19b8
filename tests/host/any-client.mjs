// What holds for every client library in every era: contract.md 2 and 3, mcp-apps.md 1.
// Knows no library: each test file hands in how it connects. Start at `anyClient`.

import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { PATIENCE_MS, isRunning, server, somePullRequest, startStandin, textOf, until } from "./support.mjs";

/** Far longer than a test may take: whoever waits for this stand-in's answer has not been cancelled. */
const SLOW_MS = 12_000;

/** What the calls that run side by side each wait for. */
const SIDE_BY_SIDE_MS = 250;

/** JSON-RPC's code for an unknown tool (mcp-apps.md 1.9). */
const INVALID_PARAMS = -32602;

/**
 * One connected client, whatever the library.
 * `strays` collects what the library could not make sense of: answers to nothing it asked, messages off the schema.
 * @typedef {{
 *   tools: () => Promise<object[]>,
 *   call: (name: string, args: object, options?: {signal?: AbortSignal, onprogress?: (progress: object) => void}) => Promise<object>,
 *   ping: () => Promise<object>,
 *   instructions: () => string | undefined,
 *   capabilities: () => object,
 *   pid: () => number,
 *   close: () => Promise<void>,
 *   strays: Error[],
 *   stderr: () => string,
 * }} Connected
 */

/**
 * Registers the tests that every client must pass.
 * @param {string} name the library and how it negotiates
 * @param {(start: object) => Promise<Connected>} connect
 * @param {{pings: boolean}} options whether this client sends pings at all: the modern era has none
 */
export function anyClient(name, connect, { pings }) {
  suite(name, () => {
    const standins = {};
    let asked;

    before(async () => {
      standins.quick = await startStandin();
      standins.waits = await startStandin({ latencyMs: SIDE_BY_SIDE_MS });
      standins.slow = await startStandin({ latencyMs: SLOW_MS });
      asked = await somePullRequest(standins.quick);
    });
    after(() => Promise.all(Object.values(standins).map((standin) => standin.stop())));

    /** Connects to bb on one of the stand-ins, runs the body, and tells stderr if it fails. */
    const check = (sentence, on, body) =>
      test(sentence, { timeout: 4 * PATIENCE_MS }, async () => {
        const client = await connect(server(standins[on]));
        try {
          await body(client);
          assert.deepEqual(client.strays, [], "messages that the client could not place");
        } catch (error) {
          error.message += `\nstderr of bb: ${client.stderr() || "(nothing)"}`;
          throw error;
        } finally {
          await client.close();
        }
      });

    check("it is told what the tools are for, and that views may come (contract 2)", "quick", (client) => {
      assert.ok(client.instructions().length > 0, "no instructions");
      assert.ok(client.instructions().length < 1_200, "instructions of 1,200 characters or more");
      const { tools, resources, extensions } = client.capabilities();
      assert.ok(tools && resources && extensions?.["io.modelcontextprotocol/ui"], JSON.stringify(client.capabilities()));
    });

    check("every tool has a title, four hints and no output schema (contract 2)", "quick", async (client) => {
      const tools = await client.tools();
      for (const tool of tools) {
        assert.ok(tool.title, `${tool.name}: no title`);
        for (const hint of ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"]) {
          assert.equal(typeof tool.annotations?.[hint], "boolean", `${tool.name}: ${hint}`);
        }
        assert.equal(tool.outputSchema, undefined, tool.name);
      }
      const names = tools.map((tool) => tool.name);
      assert.equal(new Set(names).size, names.length, `a name twice: ${names}`);
      assert.ok(names.includes("get_pull_request") && names.includes("list_pull_requests"), `${names}`);
      assert.deepEqual((await client.tools()).map((tool) => tool.name), names, "another order the second time");
    });

    check("a pull request is read as text alone (contract 3)", "quick", async (client) => {
      const result = await client.call("get_pull_request", asked.arguments);
      assert.ok(!result.isError, textOf(result));
      assert.equal(result.structuredContent, undefined);
      assert.ok(textOf(result).includes(JSON.stringify(asked.title)), textOf(result));
    });

    check("pull requests are listed, and the list says what it is part of (contract 3)", "quick", async (client) => {
      const result = await client.call("list_pull_requests", {});
      assert.ok(!result.isError, textOf(result));
      assert.equal(result.structuredContent, undefined);
      const list = JSON.parse(textOf(result));
      assert.equal(list.pull_requests.length, list.shown);
      assert.ok("total" in list || "more" in list, `neither total nor more: ${Object.keys(list)}`);
      assert.ok(textOf(result).includes(JSON.stringify(asked.title)), textOf(result));
    });

    check("a bad argument is for the model to mend: a result that names it (contract 3)", "quick", async (client) => {
      const { id, ...where } = asked.arguments;
      for (const [named, args] of [
        ["id", { ...where, id: "seven" }],
        ["id", where],
        ["colour", { ...where, id, colour: "red" }],
      ]) {
        const result = await client.call("get_pull_request", args);
        assert.equal(result.isError, true, `${JSON.stringify(args)}: ${textOf(result)}`);
        assert.match(textOf(result), new RegExp(`\\b${named}\\b`));
      }
      const result = await client.call("get_pull_request", { ...where, id: String(id) });
      assert.ok(!result.isError, `a numeric string: ${textOf(result)}`);
    });

    check("what would be shown is told in words, for this client renders nothing (R5)", "quick", async (client) => {
      const show = { kind: "pull_request", ...asked.arguments };
      for (const [tool, args] of [
        ["show", show],
        ["refresh_view", { show }],
        ["suggest_form_values", { form: show, field: "reviewers" }],
      ]) {
        const result = await client.call(tool, args);
        assert.ok(!result.isError, textOf(result));
        assert.ok(textOf(result).startsWith("Nothing was shown"), textOf(result));
        assert.equal(result._meta?.["bb/view"], undefined);
      }
    });

    check("the one tool with a page names it twice (contract 4.1)", "quick", async (client) => {
      const pages = (await client.tools())
        .filter(({ _meta }) => _meta?.ui?.resourceUri ?? _meta?.["ui/resourceUri"])
        .map(({ name, _meta }) => [name, _meta.ui.resourceUri, _meta["ui/resourceUri"]]);
      assert.deepEqual(pages, [["show", "ui://bb/view", "ui://bb/view"]]);
    });

    check("an unknown tool is an error of the protocol (mcp-apps 1.7)", "quick", async (client) => {
      await assert.rejects(client.call("get_weather", {}), (error) => error.code === INVALID_PARAMS);
    });

    check("twenty calls at once are answered side by side (contract 2)", "waits", async (client) => {
      const one = await timed(() => client.call("get_pull_request", asked.arguments));
      const all = await timed(() =>
        Promise.all(Array.from({ length: 20 }, () => client.call("get_pull_request", asked.arguments))),
      );
      for (const result of all.value) assert.equal(textOf(result), textOf(one.value));
      assert.ok(all.ms < 10 * one.ms, `20 calls took ${all.ms} ms, one took ${one.ms} ms`);
    });

    check("a cancelled call sends no answer, and others live on (contract 2)", "slow", async (client) => {
      const giveUp = new AbortController();
      const progress = [];
      const call = client.call("get_pull_request", asked.arguments, {
        signal: giveUp.signal,
        onprogress: (update) => {
          progress.push(update.progress);
          // The call is under way: progress comes from one second on.
          if (progress.length === 2) giveUp.abort("the test gives up");
        },
      });
      await assert.rejects(call);
      assert.ok(progress[1] > progress[0], `progress must grow: ${progress}`);
      assert.ok((await client.tools()).length > 0, "nothing is answered after a cancellation");

      // A call that still ran would hold the process for five seconds after its input ends.
      const pid = client.pid();
      const { ms } = await timed(() => client.close());
      assert.ok(ms < 1_900, `closing took ${ms} ms: the cancelled call was still at work`);
      assert.ok(!isRunning(pid), "bb still runs");
    });

    check("it ends by itself when its input ends (contract 2)", "quick", async (client) => {
      const pid = client.pid();
      assert.ok(isRunning(pid));
      // Both libraries send a signal after two seconds, so an earlier end is bb's own.
      const { ms } = await timed(() => client.close());
      assert.ok(ms < 1_900, `closing took ${ms} ms`);
      await until(`process ${pid} has ended`, () => !isRunning(pid));
    });

    if (!pings) return;
    check("ping is answered while a call is at work (mcp-apps 1.6)", "slow", async (client) => {
      const giveUp = new AbortController();
      const call = client.call("get_pull_request", asked.arguments, { signal: giveUp.signal });
      const { ms } = await timed(() => client.ping());
      assert.ok(ms < SLOW_MS / 2, `ping took ${ms} ms`);
      giveUp.abort("enough");
      await assert.rejects(call);
    });
  });
}

/** Runs `work` and tells its value and how long it took. */
async function timed(work) {
  const started = performance.now();
  const value = await work();
  return { value, ms: performance.now() - started };
}
