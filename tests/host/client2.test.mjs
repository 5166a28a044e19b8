// The 2.x client, in both eras and in each way to find out: mcp-apps.md 1.4, 1.5 and 5.1.
// Nothing of the 1.x line is used here. Start at `connectBy`.

import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { anyClient } from "./any-client.mjs";
import { everyTool } from "./every-tool.mjs";
import { LEGACY_VERSION, MODERN_VERSION, server, startStandin } from "./support.mjs";

/** Each way this client can be told to negotiate, and where it must arrive. */
const WAYS = [
  { mode: "legacy", era: "legacy", version: LEGACY_VERSION },
  { mode: "auto", era: "modern", version: MODERN_VERSION },
  { mode: { pin: MODERN_VERSION }, era: "modern", version: MODERN_VERSION },
];

/** How to connect in one of these ways, adapted to what `anyClient` asks; with `elicit` it can ask the person. */
function connectBy({ mode }) {
  return async (start, elicit) => {
    const capabilities = elicit ? { elicitation: { form: {} } } : {};
    const client = new Client({ name: "bb-tests", version: "1" }, { capabilities, versionNegotiation: { mode } });
    if (elicit) client.setRequestHandler("elicitation/create", ({ params }) => elicit(params));
    const transport = new StdioClientTransport({ ...start, stderr: "pipe" });
    const strays = [];
    let stderr = "";
    client.onerror = (error) => strays.push(error);
    transport.stderr.on("data", (chunk) => (stderr += chunk));
    await client.connect(transport);
    return {
      tools: async () => (await client.listTools()).tools,
      call: (name, args, options) => client.callTool({ name, arguments: args }, options),
      ping: () => client.ping(),
      instructions: () => client.getInstructions(),
      capabilities: () => client.getServerCapabilities(),
      pid: () => transport.pid,
      close: () => client.close(),
      strays,
      stderr: () => stderr,
      client,
    };
  };
}

for (const way of WAYS) {
  const name = `client 2.x, ${typeof way.mode === "string" ? way.mode : `pinned to ${way.mode.pin}`}`;
  // Of a modern connection this client refuses to send a ping.
  anyClient(name, connectBy(way), { pings: way.era === "legacy" });
  everyTool(name, connectBy(way));

  suite(`${name}, its own`, () => {
    let standin;
    before(async () => (standin = await startStandin()));
    after(() => standin.stop());

    test(`it arrives at ${way.version} (contract 2)`, async () => {
      const { client, close } = await connectBy(way)(server(standin));
      assert.equal(client.getProtocolEra(), way.era);
      assert.equal(client.getNegotiatedProtocolVersion(), way.version);
      assert.equal(client.getServerVersion().name, "bb");
      await close();
    });

    test("nothing is listed that only views read (R12)", async () => {
      const { client, close } = await connectBy(way)(server(standin));
      const { resources } = await client.listResources();
      assert.deepEqual(resources, []);
      await close();
    });
  });
}
