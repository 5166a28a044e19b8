// Pictures of the form in each of its states, on a stand-in that moves: node form_shots.mjs FOLDER [part of a name]
//
// Never asserts: form.test.mjs does. Needs BB_BIN and BB_STANDIN, as the tests do.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { server, startStandin } from "../support.mjs";
import { openBridge } from "./bridge.mjs";
import { POLICY_OF_SPECIFICATION, openBrowser } from "./support.mjs";

const [folder = "shots", part = ""] = process.argv.slice(2);
const CREATE = "/rest/api/latest/projects/ACME/repos/rocket/pull-requests";
const FORM = { kind: "create_pull_request", project: "ACME", repo: "rocket", source_branch: "feature/steam" };
const press = (frame, words) => frame.click(`button:has(> span:text-is("${words}"))`);
const fault = (effect) => ({ method: "POST", path: CREATE, effect });
const refused = { status: 409, message: "This repository is being moved." };

/** Name, more arguments, more flags, and what is done to the form before its picture. */
const STATES = [
  ["filled", {}, [], async () => {}],
  ["branches", {}, [], async ({ frame, page }) => {
    await frame.focus("#source_branch");
    await page.keyboard.press("ArrowDown");
    await frame.waitForSelector("#source_branch-list li");
    await page.keyboard.press("ArrowDown");
  }],
  ["reviewers", {}, [], async ({ frame }) => {
    await frame.fill("#reviewers", "o");
    await frame.waitForSelector("#reviewers-list li");
  }],
  ["preview", { description: "# Why\n\nIt is **cheap**:\n\n- water\n- fire" }, [], async ({ frame }) => {
    await press(frame, "Preview");
    await frame.waitForSelector(".markdown strong");
  }],
  ["refused", { reviewers: ["idris.vale", "nobody.here"] }, [], async ({ frame }) => {
    await press(frame, "Create");
    await frame.waitForSelector("#reviewers-said");
  }],
  ["timeout", {}, ["--request-timeout", "700ms"], async ({ frame, standin }) => {
    await standin.fault(fault("stall"));
    await press(frame, "Create");
    await frame.waitForSelector("text=No pull request is open between the two.");
  }],
  ["lost", {}, [], async ({ frame, standin }) => {
    await standin.fault(fault("half_body"));
    await press(frame, "Create");
    await frame.waitForSelector("text=is open between the two already");
  }],
  ["conflict", {}, [], async ({ frame, standin }) => {
    await standin.fault(fault(refused));
    await press(frame, "Create");
    await frame.waitForSelector("text=No pull request is open between the two.");
  }],
  ["open", { source_branch: "feature/igniter" }, [], async () => {}],
  ["nothing", { source_branch: "main", target_branch: "feature/kinds" }, [], async () => {}],
  ["typing", {}, ["--exclude", "suggest_form_values"], async () => {}],
  ["cancelled", {}, [], async ({ frame }) => {
    await press(frame, "Cancel");
    await frame.waitForSelector("text=Cancelled.");
  }],
  ["created", {}, [], async ({ frame }) => {
    await press(frame, "Create");
    await frame.waitForSelector("h1:text-is('Fly on steam')");
  }],
];

mkdirSync(folder, { recursive: true });
const { context, close } = await openBrowser();
for (const [name, more, flags, turn] of STATES.filter(([name]) => name.includes(part))) {
  const standin = await startStandin();
  const ui = { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html;profile=mcp-app"] } };
  const client = new Client({ name: "bb-shots", version: "1" }, { capabilities: { extensions: ui } });
  await client.connect(new StdioClientTransport(server(standin, ...flags)));
  const host = await openBridge(context, {
    policy: POLICY_OF_SPECIFICATION,
    calls: ({ name: tool, arguments: args }) => client.callTool({ name: tool, arguments: args }),
  });
  const show = { ...FORM, ...more };
  const result = await client.callTool({ name: "show", arguments: show });
  await host.input(show);
  await host.result(result);
  await host.frame.waitForSelector("h1");
  await turn({ frame: host.frame, page: host.page, standin });
  for (const theme of ["light", "dark"])
    for (const width of [720, 380]) {
      await host.page.evaluate(
        ([to, px]) => {
          document.body.style.margin = 0;
          document.querySelector("iframe").style.width = `${px}px`;
          window.host.setHostContext({ theme: to });
        },
        [theme, width],
      );
      await host.frame.waitForSelector(`html[data-theme=${theme}]`);
      const frame = host.page.locator("iframe");
      // A width settles in the frame, then its height in the host: no message tells that both are done.
      await new Promise((resolve) => setTimeout(resolve, 300));
      await frame.screenshot({ path: join(folder, `${name}-${theme}-${width}.png`) });
      console.log(name, theme, (await frame.boundingBox()).height, host.errors.join(" | "));
    }
  await host.page.close();
  await client.close();
  await standin.stop();
}
await close();
