// Pictures for people to look at: node shots.mjs FOLDER [part of a name]
//
// Of every drawing, and, as `real-…`, of what the built bb shows of the stand-in's world (BB_BIN, BB_STANDIN).

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { server, startStandin } from "../support.mjs";
import {
  drawing,
  drawingKinds,
  drawingNames,
  initialized,
  openBrowser,
  openFrame,
  resultWith,
} from "./support.mjs";

const [folder = "shots", part = ""] = process.argv.slice(2);
const NOW = Date.parse("2026-11-30T09:46:00Z");
/** Half a day after the world's last event. */
const WORLDS_NOW = Date.parse("2026-03-09T21:00:00Z");
const REAL = [39, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 54, 55];
const FORCED = { forcedColors: "active", colorScheme: "dark" };
const SETTINGS = {
  "light-720": { width: 720 },
  "dark-720": { width: 720, theme: "dark" },
  "light-380": { width: 380 },
  "dark-380": { width: 380, theme: "dark" },
  "forced-720": { width: 720, media: FORCED, theme: "dark" },
  "forced-380": { width: 380, media: FORCED, theme: "dark" },
  "text200-720": { width: 720, fontSize: "200%" },
  "fullscreen-1200": { width: 1200, displayMode: "fullscreen" },
};

/** Draws one result as one host would, and keeps the picture. */
async function take(context, name, result, clock, given) {
  const { theme = "light", displayMode = "inline", ...frame } = given;
  const host = await openFrame(context, {
    ...frame,
    clock,
    initialize: initialized({
      theme,
      displayMode,
      availableDisplayModes: ["inline", "fullscreen"],
      locale: "en-GB",
      timeZone: "UTC",
    }),
  });
  await host.notify("ui/notifications/tool-result", result);
  await host.frame.waitForSelector(".view");
  await host.page.clock.runFor(200);
  // Pictures are decoded beside the page: nothing tells when the last one stands.
  await new Promise((resolve) => setTimeout(resolve, 150));
  const height = await host.frame.evaluate(
    () => document.documentElement.getBoundingClientRect().height,
  );
  await host.page.setViewportSize({
    width: frame.width,
    height: Math.min(4000, Math.ceil(height)),
  });
  await host.page.screenshot({ path: join(folder, `${name}.png`) });
  console.log(name, Math.ceil(height), host.errors.join(" | "));
  await host.close();
}

const isWanted = (name) => name.includes(part);
const each = (name) =>
  Object.entries(SETTINGS)
    .map(([setting, given]) => [`${name}-${setting}`, given])
    .filter(([whole]) => isWanted(whole));

mkdirSync(folder, { recursive: true });
const { context, close } = await openBrowser();
for (const kind of drawingKinds())
  for (const name of drawingNames(kind))
    for (const [whole, given] of each(`${kind}-${name}`))
      await take(context, whole, resultWith(drawing(kind, name)), NOW, given);

const real = REAL.map((id) => [id, each(`real-${id}`)]).filter(([, shots]) => shots.length > 0);
if (real.length > 0) {
  const standin = await startStandin();
  const client = new Client(
    { name: "bb-shots", version: "1" },
    {
      capabilities: {
        extensions: { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html;profile=mcp-app"] } },
      },
    },
  );
  await client.connect(new StdioClientTransport(server(standin)));
  for (const [id, shots] of real) {
    const args = { kind: "pull_request", project: "ACME", repo: "rocket", id };
    const result = await client.callTool({ name: "show", arguments: args });
    const view = result._meta["bb/view"];
    view.read_at = new Date(WORLDS_NOW).toISOString();
    for (const [whole, given] of shots) await take(context, whole, result, WORLDS_NOW, given);
  }
  await client.close();
  await standin.stop();
}
await close();
