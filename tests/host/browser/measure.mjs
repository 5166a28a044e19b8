// The dresses that every drawing is tried in, and what is measured of it there: width, contrast, targets, names.
//
// Never knows a kind. Start at measure().

// As hosts send them: pairs in light-dark(), some of them bare, some left out.
const HOSTS_COLOURS = {
  "--color-background-primary": "light-dark(#faf9f5, #30302e)",
  "--color-text-primary": "light-dark(#141413, #faf9f5)",
  "--color-background-secondary": "light-dark(#f0eee6, #262624)",
  "--color-text-secondary": "light-dark(#3d3d3a, #c2c0b6)",
  "--color-background-danger": "light-dark(#f7ecec, #602a28)",
  "--color-text-danger": "light-dark(#7f2c28, #ee9a94)",
  "--color-background-success": "light-dark(#e9f1dc, #1b4614)",
  "--color-text-success": "light-dark(#265b19, #7ab948)",
  "--color-background-warning": "light-dark(#f6eedf, #483a0f)",
  "--color-text-warning": "light-dark(#5a4815, #d1a041)",
  "--color-border-primary": "light-dark(#1f1e1d26, #dedcd133)",
  "--font-sans": "Georgia, serif",
  "--border-radius-md": "10px",
};
export const dresses = {
  "light, 720 px": { width: 720 },
  "dark, 720 px": { width: 720, theme: "dark" },
  "light, 380 px": { width: 380 },
  "dark, 380 px": { width: 380, theme: "dark" },
  "light, 220 px": { width: 220 },
  "forced colours": {
    width: 720,
    theme: "dark",
    media: { forcedColors: "active", colorScheme: "dark" },
  },
  "text of 200 %": { width: 720, fontSize: "200%" },
  fullscreen: { width: 1200, displayMode: "fullscreen" },
  "a host's own colours, light": { width: 720, variables: HOSTS_COLOURS },
  "a host's own colours, dark": { width: 720, theme: "dark", variables: HOSTS_COLOURS },
};

/** Runs in the view. */
export function measure() {
  const root = document.documentElement;
  const width = root.clientWidth;
  const isShown = (node) => {
    for (let at = node; at && at !== root; at = at.parentElement) {
      const style = getComputedStyle(at);
      if (style.visibility === "hidden" || style.display === "none" || at.hidden) return false;
    }
    return true;
  };
  const isScrolled = (node) => Boolean(node.closest(".wide, pre"));
  const isClipped = (node) => {
    for (let at = node.parentElement; at && at !== document.body; at = at.parentElement) {
      if (
        getComputedStyle(at).overflow !== "visible" &&
        at.getBoundingClientRect().right <= width + 1
      )
        return true;
    }
    return false;
  };
  const all = [...document.querySelectorAll("main *")].filter((node) => !node.closest(".unseen"));
  const name = (node) =>
    `${node.tagName.toLowerCase()}.${node.className?.baseVal ?? node.className}: ${(node.textContent ?? "").slice(0, 30)}`;
  const wide = all
    .filter(
      (node) =>
        node.getBoundingClientRect().right > width + 1 && !isScrolled(node) && !isClipped(node),
    )
    .map(name);
  if (root.scrollWidth > width) wide.push(`the document: ${root.scrollWidth} in ${width}`);

  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const seen = new Map();
  const rgba = (colour) => {
    if (!seen.has(colour)) {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
      seen.set(colour, [...canvas.getImageData(0, 0, 1, 1).data]);
    }
    return seen.get(colour);
  };
  const over = (top, below) =>
    top.slice(0, 3).map((value, at) => (value * top[3] + below[at] * (255 - top[3])) / 255);
  const ground = (node) => {
    const layers = [];
    for (let at = node; at; at = at.parentElement)
      layers.push(rgba(getComputedStyle(at).backgroundColor));
    return layers.reduceRight((below, layer) => over(layer, below), [255, 255, 255]);
  };
  const light = (colour) =>
    colour
      .map((value) => value / 255)
      .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
      .reduce((sum, value, at) => sum + value * [0.2126, 0.7152, 0.0722][at], 0);
  const pale = [];
  const texts = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const node = text.parentElement;
    if (
      text.data.trim() === "" ||
      !isShown(node) ||
      node.closest(".initials")?.parentElement.querySelector("canvas")
    )
      continue;
    const below = ground(node);
    const [a, b] = [light(over(rgba(getComputedStyle(node).color), below)), light(below)];
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (contrast < 4.5) pale.push(`${contrast.toFixed(2)} ${name(node)}`);
  }
  const controls = [...document.querySelectorAll("main button")].filter(isShown);
  return {
    wide,
    pale,
    height: Math.ceil(root.getBoundingClientRect().height),
    small: controls
      .filter(
        (node) =>
          Math.min(node.getBoundingClientRect().height, node.getBoundingClientRect().width) < 24,
      )
      .map(name),
    nameless: [...controls, ...document.querySelectorAll("main a")].filter(
      (node) => (node.getAttribute("aria-label") ?? node.textContent).trim() === "",
    ).length,
    foreign: all
      .filter((node) =>
        // Of inputs, a form has those of text alone.
        node.matches("script, iframe, img, form, object, embed, style, link, meta, base, input:not(.text)"),
      )
      .map(name),
    headings: document.querySelectorAll("h1").length,
  };
}
