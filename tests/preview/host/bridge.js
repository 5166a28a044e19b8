// The host's half of MCP Apps: JSON-RPC over postMessage with one framed view.
//
// Never draws and never asks the server: what the view wants is handed on. Start at connectView().

const PROTOCOL = "2026-01-26";
const NO_METHOD = -32601;
const TEARDOWN_MS = 1_000;

/**
 * How a host may behave: all but the first are what some real host does.
 * @type {Object<string, {words: string, src?: string, isSilent?: boolean, answersCalls?: boolean, strips?: boolean}>}
 */
export const BEHAVIOURS = {
  all: { words: "does everything", src: "/view", answersCalls: true },
  stripped: { words: "takes _meta away", src: "/view", answersCalls: true, strips: true },
  strict: { words: "blocks data: pictures", src: "/view-strict", answersCalls: true },
  handshake: { words: "answers the handshake alone", src: "/view" },
  silent: { words: "answers nothing", src: "/view", isSilent: true },
};

/**
 * What the host page does for the view. Each may be a promise; what is thrown becomes an error for the view.
 * @typedef {Object} Wishes
 * @property {(params: Object) => Promise<Object>} callTool
 * @property {(params: Object) => Promise<Object>} readResource
 * @property {(url: string) => void} openLink
 * @property {(text: string) => void} modelContext
 * @property {(mode: string) => string} displayMode The mode in force afterwards.
 * @property {(height: number) => void} size
 * @property {() => void} ready The view has shaken hands.
 * @property {(way: "view" | "host", method: string, params: unknown) => void} seen Every message.
 */

/**
 * Listens to a frame, then lets it load.
 * @param {HTMLIFrameElement} frame
 * @param {Object} behaviour One of BEHAVIOURS.
 * @param {() => Object} context What the host says of itself.
 * @param {Wishes} wishes
 */
export function connectView(frame, behaviour, context, wishes) {
  const life = new AbortController();
  const waiting = new Map();
  let lastId = 0;

  const post = (message) => frame.contentWindow?.postMessage({ jsonrpc: "2.0", ...message }, "*");
  const notify = (method, params) => {
    wishes.seen("host", method, params);
    post({ method, params });
  };

  const answers = {
    ping: () => ({}),
    "ui/initialize": () => ({
      protocolVersion: PROTOCOL,
      hostInfo: { name: "bb preview", version: "1" },
      hostCapabilities: behaviour.answersCalls
        ? { openLinks: {}, serverTools: {}, serverResources: {}, updateModelContext: { text: {} } }
        : {},
      hostContext: context(),
    }),
    "tools/call": (params) => wishes.callTool(params),
    "resources/read": (params) => wishes.readResource(params),
    "ui/open-link": ({ url }) => {
      wishes.openLink(String(url));
      return {};
    },
    "ui/update-model-context": ({ content = [] }) => {
      wishes.modelContext(content.map((block) => block.text ?? "").join("\n"));
      return {};
    },
    "ui/request-display-mode": ({ mode }) => ({ mode: wishes.displayMode(mode) }),
  };

  const answer = async ({ id, method, params = {} }) => {
    if (behaviour.isSilent || (!behaviour.answersCalls && method !== "ui/initialize")) return;
    if (!Object.hasOwn(answers, method)) {
      post({ id, error: { code: NO_METHOD, message: `this host does not answer ${method}` } });
      return;
    }
    try {
      post({ id, result: await answers[method](params) });
    } catch (error) {
      post({ id, error: { code: error.code ?? -32000, message: error.message } });
    }
  };

  const heard = ({ data, source }) => {
    if (source !== frame.contentWindow || data?.jsonrpc !== "2.0") return;
    if (typeof data.method !== "string") {
      waiting.get(data.id)?.();
      return;
    }
    wishes.seen("view", data.method, data.params);
    if (data.id !== undefined) answer(data);
    else if (data.method === "ui/notifications/initialized") wishes.ready();
    else if (data.method === "ui/notifications/size-changed") wishes.size(data.params.height);
  };

  addEventListener("message", heard, { signal: life.signal });
  // A host that answers nothing still hands on what it has.
  if (behaviour.isSilent)
    frame.addEventListener("load", () => wishes.ready(), { signal: life.signal });
  frame.src = behaviour.src;

  return {
    input: (args) => notify("ui/notifications/tool-input", { arguments: args }),
    result(result) {
      const { _meta, ...rest } = result;
      notify("ui/notifications/tool-result", behaviour.strips ? rest : result);
    },
    context: (changes) => notify("ui/notifications/host-context-changed", changes),
    /** Asks the view to end, waits a moment for it, and listens no more. */
    async teardown() {
      lastId += 1;
      const id = `host-${lastId}`;
      const ended = new Promise((resolve) => {
        waiting.set(id, resolve);
        setTimeout(resolve, TEARDOWN_MS);
      });
      wishes.seen("host", "ui/resource-teardown", {});
      post({ id, method: "ui/resource-teardown", params: {} });
      await ended;
      life.abort();
    },
  };
}
