// What stands around the view: the choices, the moves, and what went between view and host.
//
// Never speaks to the view or the server. Start at make(); texts are text nodes, whatever they hold.

const KEPT_LINES = 60;

/** An element with its properties and children. */
export function make(name, properties = {}, ...children) {
  const node = Object.assign(document.createElement(name), properties);
  node.append(...children);
  return node;
}

/** A row of buttons of which one is pressed; `pick` is told which. */
export function choices(words, options, pick) {
  const buttons = Object.entries(options).map(([value, text]) =>
    make("button", { type: "button", value, onclick: () => pick(value) }, text),
  );
  const group = make("div", { className: "choices", role: "group", ariaLabel: words }, ...buttons);
  const node = make("div", { className: "control" }, make("span", {}, words), group);
  const show = (value) => {
    for (const button of buttons) button.ariaPressed = String(button.value === String(value));
  };
  return { node, show };
}

/** A list to choose one of. */
export function selection(words, options, pick) {
  const items = Object.entries(options).map(([value, text]) => make("option", { value }, text));
  const list = make("select", { onchange: () => pick(list.value) }, ...items);
  const node = make("label", { className: "control" }, make("span", {}, words), list);
  return { node, show: (value) => (list.value = value) };
}

/** One sample to show, of bb's own views or of a team's server; its second line says where it is. */
export function sampleButton(sample, server, pick) {
  const { project, repo, id } = sample.arguments;
  const place = [[project, repo].filter(Boolean).join("/"), id && `#${id}`].filter(Boolean);
  const text = place.length > 0 ? place.join(" ") : "";
  return make(
    "button",
    { type: "button", className: server ? "sample of-team" : "sample", onclick: pick },
    sample.title,
    make("small", {}, text),
  );
}

/** Milliseconds and bytes, for people. */
export function measured({ ms, bytes }) {
  const time = ms < 10 ? ms.toFixed(1) : Math.round(ms).toLocaleString("en");
  return `${time} ms, ${bytes.toLocaleString("en")} bytes`;
}

/** Puts one line on top of a list and lets the oldest go. */
export function note(list, name, much = "", more = "") {
  const line = make("li", {}, make("span", {}, name), make("span", { className: "much" }, much));
  if (more) line.append(make("span", { className: "more" }, more));
  list.prepend(line);
  while (list.children.length > KEPT_LINES) list.lastChild.remove();
}
