// Every tool, called by a client library against the stand-in, and the person's part in those that ask.
// Knows no library: each test file hands in how it connects. Start at `everyTool`.

import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { CALLS_TIMEOUT_MS, calls, dataTools } from "./calls.mjs";
import { server, startStandin, textOf } from "./support.mjs";

/**
 * Registers the walks over the catalogue.
 * @param {string} name the library and how it negotiates
 * @param {(start: object, elicit?: (params: object) => object) => Promise<import("./any-client.mjs").Connected>} connect
 */
export function everyTool(name, connect) {
  suite(`${name}, every tool`, () => {
    let standin;
    before(async () => (standin = await startStandin()));
    after(() => standin.stop());

    /** Calls every tool in turn, wants each to succeed, and gives how many were called. */
    async function callAll(client) {
      const all = await calls(standin);
      const listed = dataTools(await client.tools());
      assert.deepEqual(all.map(({ tool }) => tool).sort(), listed, "calls.mjs has a call of each tool in tools/list");
      for (const { tool, args, says } of all) {
        const result = await client.call(tool, args);
        assert.ok(!result.isError, `${tool}: ${textOf(result)}`);
        assert.equal(result.structuredContent, undefined, tool);
        assert.ok(textOf(result).includes(says), `${tool}: ${textOf(result)}`);
      }
      assert.deepEqual(client.strays, [], "messages that the client could not place");
      return all;
    }

    test("each is called, and none asks with --no-confirm (contract 3)", { timeout: CALLS_TIMEOUT_MS }, async () => {
      const client = await connect(server(standin, "--no-confirm"));
      await callAll(client).finally(() => client.close());
    });

    test("the person is asked once by each that asks, and by no other (contract 3)", { timeout: CALLS_TIMEOUT_MS }, async () => {
      const fresh = await startStandin();
      const questions = [];
      const client = await connect(server(fresh), (params) => {
        questions.push(params);
        return { action: "accept", content: { confirm: true } };
      });
      try {
        for (const { tool, args, asks } of await calls(fresh)) {
          const before = questions.length;
          const result = await client.call(tool, args);
          assert.ok(!result.isError, `${tool}: ${textOf(result)}`);
          assert.equal(questions.length - before, asks ? 1 : 0, `questions of ${tool}`);
        }
        for (const { message, requestedSchema } of questions) {
          assert.match(message, /\?$/);
          assert.deepEqual(requestedSchema.required, ["confirm"]);
          assert.equal(requestedSchema.properties.confirm.default, false);
        }
      } finally {
        await client.close();
        await fresh.stop();
      }
    });

    test("what the person declines is not done (contract 3)", { timeout: CALLS_TIMEOUT_MS }, async () => {
      const fresh = await startStandin();
      const client = await connect(server(fresh), () => ({ action: "decline" }));
      try {
        for (const { tool, args, asks } of await calls(fresh)) {
          if (!asks) continue;
          const result = await client.call(tool, args);
          assert.equal(result.isError, true, `${tool}: ${textOf(result)}`);
          assert.match(textOf(result), /the person declined/, tool);
        }
      } finally {
        await client.close();
        await fresh.stop();
      }
    });
  });
}
