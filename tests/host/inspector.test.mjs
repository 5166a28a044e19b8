// MCP Inspector's command line: one process a question, in both eras (mcp-apps.md 5.1).
// Also its lint of the tools' schemas. Start at `inspect`.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, suite, test } from "node:test";
import { fileURLToPath } from "node:url";
import { CALLS_TIMEOUT_MS, calls, dataTools } from "./calls.mjs";
import { LEGACY_VERSION, MODERN_VERSION, built, server, somePullRequest, startStandin, textOf } from "./support.mjs";

const INSPECTOR = fileURLToPath(new URL("node_modules/.bin/mcp-inspector", import.meta.url));

/** Inspector's exit code for a result with `isError`, and for a tool that is not there. */
const TOOL_FAILED = 5;

/** Its exit code for a probe that found no app. */
const NO_APP = 2;

/** Each era it can be told to use, and the version that bb must be spoken to in. */
const ERAS = [
  { era: "legacy", version: LEGACY_VERSION },
  { era: "modern", version: MODERN_VERSION },
  { era: "auto", version: MODERN_VERSION },
];

let standin;
let asked;
let home;

before(async () => {
  standin = await startStandin();
  asked = await somePullRequest(standin);
  home = await mkdtemp(join(tmpdir(), "bb-inspector-"));
});
after(async () => {
  await standin.stop();
  await rm(home, { recursive: true });
});

/** Runs Inspector once against bb. */
function inspect(...options) {
  return inspectServer(server(standin), ...options);
}

/** Runs Inspector once. Options for it come first; flags of the server follow `--`. */
async function inspectServer({ command, args, env = {} }, ...options) {
  const line = [INSPECTOR, "--cli", "-q", "--format", "json", ...options];
  for (const [name, value] of Object.entries(env)) line.push("-e", `${name}=${value}`);
  const child = spawn(process.execPath, [...line, command, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    // A home of its own: Inspector keeps files there, and reads some.
    env: { PATH: process.env.PATH, HOME: home, MCP_INSPECTOR_SECRET_STORE: "memory" },
  });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk) => (stdout += chunk));
  child.stderr.on("data", (chunk) => (stderr += chunk));
  const exit = await new Promise((resolve) => child.once("close", resolve));
  return { exit, stdout, stderr, told: `exit ${exit}\nstdout: ${stdout}\nstderr: ${stderr}` };
}

/** Runs Inspector, wants the exit code, and gives the result it printed. */
async function result(exit, ...options) {
  const ran = await inspect(...options);
  assert.equal(ran.exit, exit, ran.told);
  return JSON.parse(ran.stdout).result;
}

/** The page of every view, and what puts one on screen. */
const VIEW = "ui://bb/view";
const showing = () => ({ kind: "pull_request", ...asked.arguments });

/** Options that call one tool. */
function calling(tool, args) {
  return ["--method", "tools/call", "--tool-name", tool, "--tool-args-json", JSON.stringify(args)];
}

for (const { era, version } of ERAS) {
  suite(`Inspector, ${era}`, { concurrency: 2 }, () => {
    const inEra = ["--protocol-era", era];

    test(`it is told who serves, in ${version} (contract 2)`, async () => {
      const told = await result(0, ...inEra, "--method", "initialize");
      assert.equal(told.serverInfo.name, "bb");
      assert.equal(told.protocolVersion, version);
      assert.ok(told.capabilities.tools && told.capabilities.resources, JSON.stringify(told.capabilities));
      assert.ok(told.capabilities.extensions["io.modelcontextprotocol/ui"], JSON.stringify(told.capabilities));
      assert.ok(told.instructions.length > 0 && told.instructions.length < 1_200);
    });

    test("the schemas of all tools pass its strict lint", async () => {
      const ran = await inspect(...inEra, "--method", "tools/list", "--strict");
      assert.equal(ran.exit, 0, ran.told);
      assert.doesNotMatch(ran.stderr, /^(Warning|Error): /m);
    });

    test("it reads a pull request (contract 3)", async () => {
      const told = await result(0, ...inEra, ...calling("get_pull_request", asked.arguments));
      assert.ok(textOf(told).includes(JSON.stringify(asked.title)), textOf(told));
    });

    test("it lists pull requests (contract 3)", async () => {
      const told = await result(0, ...inEra, ...calling("list_pull_requests", {}));
      assert.ok(textOf(told).includes(JSON.stringify(asked.title)), textOf(told));
    });

    test("it is told which argument is wrong (contract 3)", async () => {
      const args = { ...asked.arguments, id: "seven" };
      const told = await result(TOOL_FAILED, ...inEra, ...calling("get_pull_request", args));
      assert.equal(told.isError, true);
      assert.match(textOf(told), /\bid\b/);
    });

    test("it lists show with both keys of its page, and the view's own tool as such (contract 4.1)", async () => {
      const { tools } = await result(0, ...inEra, "--method", "tools/list");
      const metaOf = (name) => tools.find((tool) => tool.name === name)._meta;
      assert.deepEqual(metaOf("show"), {
        ui: { resourceUri: VIEW, visibility: ["model"] },
        "ui/resourceUri": VIEW,
      });
      const ofViews = ["refresh_view", "suggest_form_values"];
      for (const name of ofViews) assert.deepEqual(metaOf(name), { ui: { visibility: ["app"] } });
      const others = tools.filter(({ name }) => name !== "show" && !ofViews.includes(name));
      assert.ok(others.length > 0 && others.every((tool) => !tool._meta?.ui));
    });

    test("it reads the page (contract 4.4)", async () => {
      const { contents } = await result(0, ...inEra, "--method", "resources/read", "--uri", VIEW);
      const [page] = contents;
      assert.equal(contents.length, 1);
      assert.equal(page.mimeType, "text/html;profile=mcp-app");
      assert.deepEqual(page._meta, { ui: { prefersBorder: true } });
      assert.match(page.text, /^<!doctype html>/i);
      assert.ok(Buffer.byteLength(page.text) <= 120 * 1024);
    });

    test("as a client that renders views, it is given what to draw (contract 4.3)", async () => {
      const told = await result(0, "--advertise-apps", ...inEra, ...calling("show", showing()));
      const view = told._meta["bb/view"];
      assert.equal(view.kind, "pull_request");
      assert.equal(view.facts.title, asked.title);
      assert.ok(textOf(told).startsWith("Put on the person's screen"), textOf(told));

      const held = { show: view.show, fingerprint: view.fingerprint };
      const again = await result(0, "--advertise-apps", ...inEra, ...calling("refresh_view", held));
      const { read_at, ...rest } = again._meta["bb/view"];
      assert.deepEqual(rest, { format: 1, unchanged: true, motion: view.motion });
      assert.ok(Date.parse(read_at) >= Date.parse(view.read_at), read_at);
    });

    test("as one that renders none, it is told that nothing was shown (R5)", async () => {
      for (const [tool, args] of [
        ["show", showing()],
        ["refresh_view", { show: showing() }],
      ]) {
        const told = await result(0, ...inEra, ...calling(tool, args));
        assert.ok(textOf(told).startsWith("Nothing was shown"), textOf(told));
        assert.equal(told._meta?.["bb/view"], undefined);
      }
    });

    test("a tool that is not there is an error", async () => {
      const ran = await inspect(...inEra, ...calling("get_weather", {}));
      assert.equal(ran.exit, TOOL_FAILED, ran.told);
    });
  });
}

test("its probe for apps finds one tool with a page, and calls nothing (mcp-apps 5.1)", async () => {
  const ran = await inspect("--method", "tools/list", "--app-info");
  assert.equal(ran.exit, 0, ran.told);
  const apps = ran.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
    .filter(({ hasApp }) => hasApp);
  assert.deepEqual(
    apps.map(({ toolName, resourceUri, visibility }) => ({ toolName, resourceUri, visibility })),
    [{ toolName: "show", resourceUri: VIEW, visibility: ["model"] }],
    ran.told,
  );
  const none = await inspect("--method", "tools/call", "--tool-name", "get_pull_request", "--app-info");
  assert.equal(none.exit, NO_APP, none.told);
});

test("the preview's server is one like any other, on a stand-in of its own (contract 7)", async () => {
  const preview = { command: join(dirname(built("BB_STANDIN")), "preview"), args: ["--", "--stdio"] };
  const show = { kind: "pull_request", project: "ACME", repo: "rocket", id: 42 };
  const ran = await inspectServer(preview, "--advertise-apps", ...calling("show", show));
  assert.equal(ran.exit, 0, ran.told);
  assert.equal(JSON.parse(ran.stdout).result._meta["bb/view"].facts.id, 42);
});

test("every tool is called, the eras in turn (contract 3)", { timeout: 3 * CALLS_TIMEOUT_MS }, async () => {
  const fresh = await startStandin();
  const unasked = server(fresh, "--no-confirm");
  try {
    const all = await calls(fresh);
    const listed = JSON.parse((await inspectServer(unasked, "--method", "tools/list")).stdout).result.tools;
    assert.deepEqual(all.map(({ tool }) => tool).sort(), dataTools(listed));
    for (const [at, { tool, args, says }] of all.entries()) {
      const { era } = ERAS[at % 2];
      const ran = await inspectServer(unasked, "--protocol-era", era, ...calling(tool, args));
      assert.equal(ran.exit, 0, `${tool}, ${era}: ${ran.told}`);
      assert.ok(textOf(JSON.parse(ran.stdout).result).includes(says), `${tool}: ${ran.told}`);
    }
  } finally {
    await fresh.stop();
  }
});

test("fifty calls, eight at a time, all succeed", async () => {
  const ran = await inspect(
    ...calling("get_pull_request", asked.arguments),
    ...["--load", "--load-requests", "50", "--load-concurrency", "8"],
  );
  assert.equal(ran.exit, 0, ran.told);
});
