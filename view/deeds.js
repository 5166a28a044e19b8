// What the person can press and write: a button that calls a tool, a place to write, what came of it.
//
// Never a form element, and never offers a tool that the server does not expose. Start at deedButton().

import { el } from "./el.js";
import { icon } from "./icons.js";
import { button } from "./parts.js";

/**
 * A button that does a deed.
 * @param {string} words
 * @param {Deed} deed
 * @param {{desk: Desk}} view
 * @param {{icon?: string, quiet?: boolean, label?: string, pressed?: boolean, main?: boolean}} [options]
 */
export function deedButton(words, deed, { desk }, options = {}) {
  const name = `do ${deed.place} ${deed.key ?? ""}`;
  return button(words, () => desk.act(deed), { ...options, focus: name, busy: desk.isBusy() });
}

/** A button that opens a place to write, or closes it. `options.of`: what is asked there is asked of this state alone. */
export function openButton(words, place, { desk }, options = {}) {
  return button(words, () => desk.toggle(place, options.of), {
    quiet: true,
    ...options,
    focus: `open ${place}`,
    busy: desk.isBusy(),
    expanded: desk.at(place).open,
  });
}

/** How a deed stands: under way, or what was said against it. */
export function deedSaid(place, { desk }) {
  const { running, said } = desk.at(place);
  const notice = (tone, name, words) =>
    el("p", { class: `notice tone-${tone}` }, icon(name), el("span", { dir: "auto" }, words));
  if (running === "asked")
    return notice("info", "progress", "Under way. The chat may ask you to allow it.");
  return [
    said ? notice(said.tone, "warning", said.words) : null,
    running === "reading" ? notice("info", "progress", "Reading again…") : null,
  ];
}

/**
 * A place to write in, while it is open. `deeds` make of the text what each button does.
 * @param {{place: string, label: string, deeds: {words: string, of: (text: string) => Deed}[]}} given
 */
export function editor({ place, label, deeds }, view) {
  const { desk } = view;
  const { open, running } = desk.at(place);
  if (!open) return deedSaid(place, view);
  const send = (of) => {
    const text = desk.text(place);
    if (text.trim() !== "") desk.act(of(text));
    else view.ask.focus(`text ${place}`);
  };
  const area = el("textarea", {
    class: "text",
    "aria-label": label,
    "data-focus": `text ${place}`,
    rows: 4,
    readonly: running !== "",
    dir: "auto",
    input: () => desk.write(place, area.value),
    keydown: (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) send(deeds[0].of);
      if (event.key !== "Escape") return;
      event.stopPropagation();
      desk.toggle(place);
    },
  });
  area.value = desk.text(place);
  return el(
    "div",
    { class: "editor" },
    area,
    deedSaid(place, view),
    el(
      "div",
      { class: "actions" },
      deeds.map((one, at) =>
        button(one.words, () => send(one.of), {
          focus: `send ${at} ${place}`,
          busy: desk.isBusy(),
          main: at === 0,
        }),
      ),
      button("Cancel", () => desk.toggle(place), {
        quiet: true,
        focus: `cancel ${place}`,
        busy: desk.isBusy(),
      }),
    ),
  );
}
