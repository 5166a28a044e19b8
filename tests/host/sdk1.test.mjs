// The 1.x line of the TypeScript SDK, which knows the legacy era alone: mcp-apps.md 1.3 and 5.1.
// Nothing of the other line is used here. Start at `connect`.

import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { anyClient } from "./any-client.mjs";
import { everyTool } from "./every-tool.mjs";
import { LEGACY_VERSION, server, startStandin } from "./support.mjs";

/** Connects the SDK's client and adapts it to what `anyClient` asks; with `elicit` it can ask the person. */
async function connect(start, elicit) {
  const capabilities = elicit ? { elicitation: {} } : {};
  const client = new Client({ name: "bb-tests", version: "1" }, { capabilities });
  if (elicit) client.setRequestHandler(ElicitRequestSchema, ({ params }) => elicit(params));
  const transport = new StdioClientTransport({ ...start, stderr: "pipe" });
  const strays = [];
  let stderr = "";
  client.onerror = (error) => strays.push(error);
  let version;
  transport.stderr.on("data", (chunk) => (stderr += chunk));
  // The one way to learn what was negotiated: the client tells a transport that wants to know.
  transport.setProtocolVersion = (negotiated) => (version = negotiated);
  await client.connect(transport);
  return {
    tools: async () => (await client.listTools()).tools,
    call: (name, args, options) => client.callTool({ name, arguments: args }, undefined, options),
    ping: () => client.ping(),
    instructions: () => client.getInstructions(),
    capabilities: () => client.getServerCapabilities(),
    pid: () => transport.pid,
    close: () => client.close(),
    strays,
    stderr: () => stderr,
    client,
    version,
  };
}

anyClient("SDK 1.x", connect, { pings: true });
everyTool("SDK 1.x", connect);

suite("SDK 1.x, its own", () => {
  let standin;
  before(async () => (standin = await startStandin()));
  after(() => standin.stop());

  test("it negotiates the newest legacy version with bb (contract 2)", async () => {
    const { client, version, close } = await connect(server(standin));
    assert.equal(client.getServerVersion().name, "bb");
    assert.match(client.getServerVersion().version, /^\d+\.\d+\.\d+/);
    assert.equal(version, LEGACY_VERSION);
    await close();
  });

  test("nothing is listed that only views read (R12)", async () => {
    const { client, close } = await connect(server(standin));
    const { resources } = await client.listResources();
    assert.deepEqual(resources, []);
    await close();
  });
});
