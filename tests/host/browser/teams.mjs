// A team's manifest: approved with the real commands, served by the real bb, its page and its policy as a host takes them.
//
// Never approves but by the digest of what it was given. Start at approve() and serve().

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { built, server } from "../support.mjs";
import { ROOT } from "./support.mjs";

const RENDERS = { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html;profile=mcp-app"] } };

/** The path of an example. */
export const example = (name) => join(ROOT, "fixtures/manifests", `${name}.json`);

/** A folder for approvals and files; `close` removes it. */
export function openState() {
  const folder = mkdtempSync(join(tmpdir(), "bb-approvals-"));
  return { folder, close: () => rmSync(folder, { recursive: true, force: true }) };
}

/** `bb ai mcp …` with these variables alone: the exit code, and all that was said. */
export function run(words, env) {
  const done = spawnSync(built("BB_BIN"), ["ai", "mcp", ...words], {
    encoding: "utf8",
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  return { code: done.status, said: done.stdout + done.stderr };
}

/** `bb ai mcp manifest …`. */
export const manifest = (state, ...words) => run(["manifest", ...words], { BB_STATE_DIR: state.folder });

/** Approves a file, or a manifest that is given as a value. */
export function approve(state, what) {
  const path = typeof what === "string" ? what : join(state.folder, "written.json");
  if (typeof what !== "string") writeFileSync(path, JSON.stringify(what));
  const sha256 = createHash("sha256").update(readFileSync(path)).digest("hex");
  const { code, said } = manifest(state, "approve", path, "--sha256", sha256);
  if (code !== 0) throw new Error(`${path} was not approved: ${said}`);
  return said;
}

/** A client of the server that an approved manifest is. `elicit` answers what the person is asked. */
export async function serve(standin, state, id, elicit) {
  const capabilities = { extensions: RENDERS, ...(elicit && { elicitation: { form: {} } }) };
  const client = new Client({ name: "bb-tests", version: "1" }, { capabilities });
  if (elicit) client.setRequestHandler("elicitation/create", ({ params }) => elicit(params));
  const start = server(standin, "--manifest", id, "--state-dir", state.folder);
  await client.connect(new StdioClientTransport({ ...start, stderr: "inherit" }));
  return client;
}

/** What a host reads of a tool's view: its address, its page, and what was declared. */
export async function viewOf(client, tool) {
  const { tools } = await client.listTools();
  const uri = tools.find(({ name }) => name === tool)._meta.ui.resourceUri;
  const { contents } = await client.readResource({ uri });
  return { uri, html: contents[0].text, ui: contents[0]._meta.ui };
}

/** The policy that a host makes of what a view declares; nothing declared is nothing allowed. */
export function policyOf({ csp = {} }) {
  const { connectDomains = [], resourceDomains = [], frameDomains = [], baseUriDomains = [] } = csp;
  const list = (domains, ...more) => [...more, ...domains].join(" ") || "'none'";
  return [
    "default-src 'none'",
    `script-src ${list(resourceDomains, "'unsafe-inline'")}`,
    `style-src ${list(resourceDomains, "'unsafe-inline'")}`,
    `img-src ${list(resourceDomains, "data:")}`,
    `font-src ${list(resourceDomains)}`,
    `connect-src ${list(connectDomains)}`,
    `frame-src ${list(frameDomains)}`,
    `base-uri ${list(baseUriDomains)}`,
    "form-action 'none'",
  ].join("; ");
}
