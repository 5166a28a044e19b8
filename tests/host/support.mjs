// Starts what the tests talk to: the stand-in Bitbucket, and the command line that serves it.
// Never speaks MCP itself: that is the clients' part. Start at `startStandin` and `server`.

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** Newest version of each era that bb speaks (contract.md 2). */
export const LEGACY_VERSION = "2025-11-25";
export const MODERN_VERSION = "2026-07-28";

/** How long anything may take that should take milliseconds: a machine under load is not a failure. */
export const PATIENCE_MS = 15_000;

/** The path in variable `name`: `tests/run` builds the binaries and says where they are. */
export function built(name) {
  const path = process.env[name];
  if (!path) throw new Error(`${name} does not say where the binary is: run tests/run, or set it to a built one`);
  return path;
}

/**
 * One running stand-in. `step` moves its world, as somebody else would: fixtures/standin's `Step`, as JSON. `log` is what
 * it was asked so far, in order: method, path with its query, and the status that was answered; `fault` breaks the next
 * request that it names (tests/preview/standin.rs).
 * @typedef {{url: string, token: string, step: (step: object) => Promise<void>, fault: (fault: object) => Promise<void>,
 *   log: () => Promise<{method: string, path: string, status: number | null}[]>, stop: () => Promise<void>}} Standin
 */

/**
 * Starts a stand-in that takes `latencyMs` to answer each request, and waits until it has told its address.
 * @returns {Promise<Standin>}
 */
export async function startStandin({ latencyMs = 0 } = {}) {
  const child = spawn(built("BB_STANDIN"), latencyMs > 0 ? ["--latency", String(latencyMs)] : [], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = new Promise((resolve) => child.once("close", resolve));
  let whyNot = "it ended before it told its address and token";
  child.once("error", (error) => (whyNot = error.message));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const variables = {};
  while (!(variables.BITBUCKET_URL && variables.BITBUCKET_TOKEN)) {
    const { value, done } = await lines.next();
    if (done) throw new Error(`cannot start the stand-in: ${whyNot}`);
    const [, name, text] = /^export (\w+)='?([^']*)'?$/.exec(value) ?? [];
    if (name) variables[name] = text;
  }
  const step = async (wanted) => {
    child.stdin.write(`${JSON.stringify(wanted)}\n`);
    const { value = "{}" } = await lines.next();
    const { done, error, log } = JSON.parse(value);
    if (!done) throw new Error(`the stand-in did not move by ${JSON.stringify(wanted)}: ${error ?? "it ended"}`);
    return log;
  };
  const log = () => step({ log: true });
  const fault = (wanted) => step({ fault: wanted });
  const stop = async () => {
    child.kill();
    await ended;
  };
  return { url: variables.BITBUCKET_URL, token: variables.BITBUCKET_TOKEN, step, fault, log, stop };
}

/** What the stand-in itself answers to a GET. */
export async function readStandin({ url, token }, path) {
  const response = await fetch(url + path, { headers: { authorization: `Bearer ${token}` } });
  if (!response.ok) throw new Error(`the stand-in answered ${response.status} to GET ${path}`);
  return response.json();
}

/**
 * The pull request that a test asks for: the first open one on the person's own dashboard whose title is
 * plain words, so that it comes out of bb as it went in. Read over REST: these tests do not know the world by heart.
 * @returns {Promise<{arguments: {project: string, repo: string, id: number}, title: string}>}
 */
export async function somePullRequest(standin) {
  const path = "/rest/api/latest/dashboard/pull-requests?state=OPEN&limit=25";
  const found = (await readStandin(standin, path)).values.find(({ title }) => /^[\w ,.:-]+$/.test(title));
  if (!found) throw new Error(`GET ${path} of the stand-in lists no pull request with a plain title`);
  const { slug, project } = found.toRef.repository;
  return { arguments: { project: project.key, repo: slug, id: found.id }, title: found.title };
}

/** How to start bb on this stand-in, as an stdio transport wants it. `flags` are those of `serve`. */
export function server(standin, ...flags) {
  return {
    command: built("BB_BIN"),
    args: ["ai", "mcp", "serve", ...flags],
    env: { BITBUCKET_URL: standin.url, BITBUCKET_TOKEN: standin.token },
  };
}

/** The text that the model would read. */
export function textOf(result) {
  return result.content.map((block) => block.text ?? `[${block.type}]`).join("\n");
}

/** Whether a process still runs. */
export function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Waits until `holds()` is true; fails with `what` when it is not within the patience. */
export async function until(what, holds) {
  const deadline = Date.now() + PATIENCE_MS;
  while (!holds()) {
    if (Date.now() > deadline) throw new Error(`waited ${PATIENCE_MS} ms and still not: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
