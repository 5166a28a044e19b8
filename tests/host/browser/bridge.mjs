// The official AppBridge as a host: the page framed and sandboxed, what it wants kept for the tests to read.
//
// Never decides what a tool answers: that is handed in. Start at openBridge().

import { build } from "esbuild";
import { arrived, frameOf, keepMarks, pageHtml, until, withPolicy } from "./support.mjs";

let built;
/** AppBridge as one script for the browser. */
async function bundle() {
  built ??= build({
    stdin: {
      contents:
        'export { AppBridge, PostMessageTransport } from "@modelcontextprotocol/ext-apps/app-bridge";',
      resolveDir: import.meta.dirname,
    },
    bundle: true,
    minify: true,
    format: "iife",
    globalName: "bridge",
    platform: "browser",
    write: false,
    logLevel: "silent",
  });
  return (await built).outputFiles[0].text;
}

/**
 * Frames the page with AppBridge, in a new tab of a browser.
 * @param {import("playwright-core").BrowserContext} browser
 * @param {Object} options
 * @param {(params: Object) => Object} [options.calls] Answers the view's tool calls.
 * @param {number} [options.clock] Unix milliseconds that a fake clock starts at.
 * @param {string} [options.html] Another page than bb's own.
 */
export async function openBridge(browser, {
  policy,
  sandbox = "allow-scripts",
  capabilities = { openLinks: {}, serverTools: {}, updateModelContext: { text: {} } },
  hostContext = {},
  calls,
  clock,
  html = pageHtml(),
}) {
  const page = await browser.newPage();
  const errors = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  await page.route("**/*", (route) =>
    route.request().url() === "http://host.test/"
      ? route.fulfill({
          contentType: "text/html",
          body: "<!doctype html><title>host</title><body>",
        })
      : route.abort(),
  );
  if (clock) await page.clock.install({ time: clock });
  await page.goto("http://host.test/");
  await page.evaluate(keepMarks);
  await page.exposeFunction("answerCall", calls ?? (() => ({ content: [], isError: true })));
  await page.addScriptTag({ content: await bundle() });
  await page.evaluate(
    async ({ html, sandbox: flags, capabilities: can, hostContext: context }) => {
      const { AppBridge, PostMessageTransport } = globalThis.bridge;
      const frame = document.createElement("iframe");
      frame.setAttribute("sandbox", flags);
      frame.style.cssText = "width:720px;height:150px;border:0";
      document.body.append(frame);
      const host = new AppBridge(null, { name: "test", version: "1" }, can, {
        hostContext: {
          theme: "light",
          availableDisplayModes: ["inline", "fullscreen"],
          displayMode: "inline",
          ...context,
        },
      });
      const seen = { calls: [], links: [], contexts: [], modes: [], sizes: [], initialized: 0 };
      window.seen = seen;
      window.host = host;
      host.oncalltool = (params) => {
        seen.calls.push(params);
        return window.answerCall(params);
      };
      host.onopenlink = async ({ url }) => {
        seen.links.push(url);
        return {};
      };
      host.onupdatemodelcontext = async (params) => {
        seen.contexts.push(params);
        return {};
      };
      host.onrequestdisplaymode = async ({ mode }) => {
        seen.modes.push(mode);
        host.setHostContext({
          theme: "light",
          availableDisplayModes: ["inline", "fullscreen"],
          displayMode: mode,
        });
        return { mode };
      };
      host.addEventListener("sizechange", ({ width, height }) => {
        seen.sizes.push([width, height]);
        frame.style.height = `${height}px`;
      });
      host.addEventListener("initialized", () => {
        seen.initialized += 1;
      });
      await host.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow));
      frame.srcdoc = html;
    },
    { html: withPolicy(html, policy), sandbox, capabilities, hostContext },
  );
  const frame = await frameOf(page);
  const host = {
    page,
    frame,
    errors,
    text: () => frame.evaluate(() => document.querySelector("main").innerText),
    log: async () => {
      await arrived(page, frame);
      return page.evaluate(() => window.seen);
    },
    seen: async (name) => {
      await arrived(page, frame);
      return page.evaluate((what) => window.seen[what], name);
    },
    input: (args) => page.evaluate((sent) => window.host.sendToolInput({ arguments: sent }), args),
    result: (result) => page.evaluate((sent) => window.host.sendToolResult(sent), result),
  };
  await until(host, "the handshake", async () => (await host.seen("initialized")) === 1);
  return host;
}
