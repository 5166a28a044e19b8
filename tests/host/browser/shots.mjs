// Pictures of every drawing, for people to look at: node shots.mjs FOLDER [part of KIND-NAME-SETTING]

import { mkdirSync } from "node:fs";
import { join } from "node:path";
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
const SETTINGS = {
  "light-720": { width: 720 },
  "dark-720": { width: 720, theme: "dark" },
  "light-380": { width: 380 },
  "dark-380": { width: 380, theme: "dark" },
  "forced-720": {
    width: 720,
    media: { forcedColors: "active", colorScheme: "dark" },
    theme: "dark",
  },
  "text200-720": { width: 720, fontSize: "200%" },
  "fullscreen-1200": { width: 1200, displayMode: "fullscreen" },
};

mkdirSync(folder, { recursive: true });
const { context, close } = await openBrowser();
const all = drawingKinds().flatMap((kind) => drawingNames(kind).map((name) => [kind, name]));
for (const [kind, name] of all) {
  for (const [setting, given] of Object.entries(SETTINGS)) {
    if (!`${kind}-${name}-${setting}`.includes(part)) continue;
    const { theme = "light", displayMode = "inline", ...frame } = given;
    const host = await openFrame(context, {
      ...frame,
      clock: NOW,
      initialize: initialized({
        theme,
        displayMode,
        availableDisplayModes: ["inline", "fullscreen"],
        locale: "en-GB",
        timeZone: "UTC",
      }),
    });
    await host.notify("ui/notifications/tool-result", resultWith(drawing(kind, name)));
    await host.frame.waitForSelector("main .foot");
    await host.page.clock.runFor(200);
    await host.frame.waitForFunction(() => document.querySelectorAll("canvas").length >= 0);
    await new Promise((resolve) => setTimeout(resolve, 150));
    const height = await host.frame.evaluate(
      () => document.documentElement.getBoundingClientRect().height,
    );
    await host.page.setViewportSize({
      width: frame.width,
      height: Math.min(4000, Math.ceil(height)),
    });
    await host.page.screenshot({ path: join(folder, `${kind}-${name}-${setting}.png`) });
    console.log(kind, name, setting, Math.ceil(height), host.errors.join(" | "));
    await host.close();
  }
}
await close();
