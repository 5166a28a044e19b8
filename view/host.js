// The host bridge: JSON-RPC over postMessage, what the host can do, its theme, the size it is told, teardown.
//
// Never draws, and believes messages from the parent window alone. Start at connectHost().

const PROTOCOL = "2026-01-26";
const ANSWER_MS = 30_000;
const NO_METHOD = -32601;
// An invalid request, no such method, parameters that it does not take: nothing was passed on.
const REFUSALS = new Set([-32600, NO_METHOD, -32602]);

/**
 * What comes from the host, each handed on as soon as it comes. None is called after teardown.
 * @typedef {Object} HostListener
 * @property {(args: Object) => void} toolInput
 * @property {(result: Object) => void} toolResult
 * @property {() => void} toolCancelled
 * @property {() => void} contextChanged The host's context, or what it can do, is another now.
 * @property {() => void} teardown Nothing may run after it.
 */

/**
 * @typedef {Object} Host
 * @property {(name: string) => boolean} can Whether the host declared this capability.
 * @property {() => Object} context
 * @property {(name: string, args: Object, wait_ms?: number) => Promise<Object>} callTool Rejects on an error or after
 *   30 s, or as long as is said. An error with `isRefusal` means that nobody was asked.
 * @property {(url: string) => Promise<boolean>} openLink Whether the host says that it opened it.
 * @property {(mode: string) => Promise<string | null>} requestMode The mode in force; null where it was refused.
 * @property {(text: string) => void} tellModel
 * @property {(width: number, height: number) => void} tellSize
 */

/**
 * Listens first, then shakes hands. Whatever becomes of the handshake, what comes is handed on.
 * @param {Window} view
 * @param {AbortController} life Aborted at teardown.
 * @param {HostListener} listener
 * @returns {Host}
 */
export function connectHost(view, life, listener) {
  const waiting = new Map();
  let lastId = 0;
  let capabilities = {};
  let context = {};

  const post = (message) => view.parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
  const notify = (method, params = {}) => {
    if (!life.signal.aborted) post({ method, params });
  };
  const request = (method, params, wait_ms = ANSWER_MS) =>
    new Promise((resolve, reject) => {
      if (life.signal.aborted) return;
      lastId += 1;
      const id = lastId;
      const timer = setTimeout(() => {
        waiting.delete(id);
        reject(new Error("the host did not answer"));
      }, wait_ms);
      waiting.set(id, { resolve, reject, timer });
      post({ id, method, params });
    });
  const answered = ({ id, result, error }) => {
    const open = waiting.get(id);
    if (!open) return;
    waiting.delete(id);
    clearTimeout(open.timer);
    if (error !== undefined) {
      const refused = new Error(
        typeof error?.message === "string" ? error.message : "the host refused",
      );
      refused.isRefusal = REFUSALS.has(error?.code);
      open.reject(refused);
    } else open.resolve(isObject(result) ? result : {});
  };

  const notified = {
    "ui/notifications/tool-input": (params) =>
      listener.toolInput(isObject(params.arguments) ? params.arguments : {}),
    "ui/notifications/tool-result": (params) => listener.toolResult(params),
    "ui/notifications/tool-cancelled": () => listener.toolCancelled(),
    "ui/notifications/host-context-changed": (params) => {
      context = { ...context, ...params };
      listener.contextChanged();
    },
  };
  const asked = {
    ping: () => ({}),
    "ui/resource-teardown": () => {
      for (const { timer } of waiting.values()) clearTimeout(timer);
      waiting.clear();
      return {};
    },
  };

  const heard = (event) => {
    const message = event.data;
    if (event.source !== view.parent || !isObject(message) || message.jsonrpc !== "2.0") return;
    if (typeof message.method !== "string") {
      answered(message);
      return;
    }
    const params = isObject(message.params) ? message.params : {};
    if (message.id === undefined || message.id === null) {
      if (Object.hasOwn(notified, message.method)) notified[message.method](params);
      return;
    }
    if (!Object.hasOwn(asked, message.method)) {
      post({
        id: message.id,
        error: {
          code: NO_METHOD,
          message: `the view does not answer ${shortMethod(message.method)}`,
        },
      });
      return;
    }
    post({ id: message.id, result: asked[message.method]() });
    if (message.method === "ui/resource-teardown") {
      listener.teardown();
      life.abort();
    }
  };
  // A plain function on window: one host wraps addEventListener, and an object with handleEvent slips through it.
  view.addEventListener("message", heard, { signal: life.signal });

  request("ui/initialize", {
    protocolVersion: PROTOCOL,
    appInfo: { name: "bb", version: "1" },
    appCapabilities: { availableDisplayModes: ["inline", "fullscreen"] },
  }).then(
    (result) => {
      capabilities = isObject(result.hostCapabilities) ? result.hostCapabilities : {};
      context = { ...(isObject(result.hostContext) ? result.hostContext : {}), ...context };
      notify("ui/notifications/initialized");
      listener.contextChanged();
    },
    () => {},
  );

  return {
    can: (name) => capabilities[name] !== undefined && capabilities[name] !== null,
    context: () => context,
    callTool: (name, args, wait_ms) => request("tools/call", { name, arguments: args }, wait_ms),
    openLink: (url) =>
      request("ui/open-link", { url }).then(
        (result) => result.isError !== true,
        () => false,
      ),
    requestMode: (mode) =>
      request("ui/request-display-mode", { mode }).then(
        (result) => result.mode ?? null,
        () => null,
      ),
    tellModel: (text) => {
      request("ui/update-model-context", { content: [{ type: "text", text }] }).catch(() => {});
    },
    tellSize: (width, height) => notify("ui/notifications/size-changed", { width, height }),
  };
}

/**
 * Puts the host's theme and style variables on the page. A value that is none of its sort changes nothing,
 * and a pair of text and background is taken whole or not at all, or the two might not be told apart.
 * @param {HTMLElement} root
 * @param {Object} context
 * @param {boolean} prefersDark What the browser says, for a host that names no theme.
 */
export function applyTheme(root, context, prefersDark) {
  const named = context.theme === "dark" || context.theme === "light" ? context.theme : null;
  const theme = named ?? (prefersDark ? "dark" : "light");
  if (root.dataset.theme !== theme) root.dataset.theme = theme;
  root.style.colorScheme = theme;
  const given =
    isObject(context.styles) && isObject(context.styles.variables) ? context.styles.variables : {};
  for (const name of THEMED) {
    const value = given[name];
    if (isUsable(name, value) && partnersOf(name).every((other) => isUsable(other, given[other]))) {
      root.style.setProperty(name, value);
    } else {
      root.style.removeProperty(name);
    }
  }
}

const PAIRED = ["primary", "info", "danger", "success", "warning"];
const THEMED = [
  ...PAIRED.flatMap((tone) => [`--color-text-${tone}`, `--color-background-${tone}`]),
  "--color-text-secondary",
  "--color-background-secondary",
  "--color-border-primary",
  "--color-border-secondary",
  "--color-ring-primary",
  "--font-sans",
  "--font-mono",
  "--border-radius-sm",
  "--border-radius-md",
];

function partnersOf(name) {
  const [, sort, tone] = /^--color-(text|background)-(.+)$/.exec(name) ?? [];
  if (!sort) return [];
  if (PAIRED.includes(tone)) return [`--color-${sort === "text" ? "background" : "text"}-${tone}`];
  return ["--color-text-primary", "--color-background-primary"];
}

function isUsable(name, value) {
  if (typeof value !== "string" || value.length > 400 || /url\s*\(|[;{}\\]/i.test(value))
    return false;
  const property = name.startsWith("--color")
    ? "color"
    : name.startsWith("--font")
      ? "font-family"
      : "border-radius";
  return CSS.supports(property, value);
}

function shortMethod(method) {
  return method.slice(0, 80);
}

function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
