// What is done to a drawing once it stands: pictures painted over initials, long texts cut at their
// lines, long lists drawn to their end in steps.
//
// Never loads an address. Start at paintAvatars().

import { el } from "./el.js";

const PICTURE = /^image\/(png|jpeg|gif|webp)$/;
const SIDE_PX = 64;

/**
 * Paints people's pictures from the bytes that came with the result. One that cannot be read leaves the initials.
 * @param {Element} root
 * @param {Object<string, {type: string, base64: string}>} avatars
 * @param {AbortSignal} signal Nothing is painted after it.
 */
export function paintAvatars(root, avatars, signal) {
  for (const node of root.querySelectorAll("[data-avatar]")) {
    const key = node.getAttribute("data-avatar");
    const picture = Object.hasOwn(avatars, key) ? avatars[key] : null;
    if (!picture || node.querySelector("canvas") || !PICTURE.test(picture.type)) continue;
    paint(node, picture, signal).catch(() => {});
  }
}

/**
 * Cuts each long text at the lines it may have. What lies below the cut takes no focus until the person asks for more.
 * @param {Element} root
 */
export function settleClips(root) {
  for (const clip of root.querySelectorAll(".clip[data-lines]")) {
    clip.style.setProperty("--clip-lines", clip.getAttribute("data-lines"));
    clip.style.removeProperty("max-height");
    clip.classList.add("is-cut");
    const isCut = clip.scrollHeight > clip.clientHeight + 24;
    clip.classList.toggle("is-cut", isCut);
    const foot = clip.parentElement.querySelector(".clip-foot");
    if (foot) foot.hidden = !isCut;
    if (isCut) cutBetweenLines(clip);
    const bottom = clip.getBoundingClientRect().bottom;
    for (const node of clip.querySelectorAll("a, [tabindex]")) {
      if (isCut && node.getBoundingClientRect().top > bottom - 4)
        node.setAttribute("tabindex", "-1");
      else node.setAttribute("tabindex", "0");
    }
  }
}

// No line is cut through its middle: the last one that would be is left out.
function cutBetweenLines(clip) {
  const { top, bottom } = clip.getBoundingClientRect();
  const texts = document.createTreeWalker(clip, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  let whole = 0;
  while (texts.nextNode()) {
    range.selectNodeContents(texts.currentNode);
    for (const line of range.getClientRects()) {
      if (line.top >= bottom || line.bottom > bottom + 2) {
        if (whole > 0) clip.style.setProperty("max-height", `${Math.ceil(whole - top) + 2}px`);
        return;
      }
      whole = Math.max(whole, line.bottom);
    }
  }
}

const growing = new Set();

/**
 * Leaves the rest of a long drawing for later. `step` adds a little to `node` and says whether more is left.
 * @param {Element} node
 * @param {() => boolean} step
 */
export function growLater(node, step) {
  growing.add({ node, step });
}

/**
 * Draws on until `isTime` says to stop; what is on the page no more is dropped.
 * @param {() => boolean} isTime
 * @returns {boolean} Whether anything was left to draw.
 */
export function growSome(isTime) {
  const isAny = growing.size > 0;
  for (const one of growing) {
    while (one.node.isConnected && one.step()) if (isTime()) return true;
    growing.delete(one);
  }
  return isAny;
}

async function paint(node, picture, signal) {
  const bytes = Uint8Array.from(atob(picture.base64), (sign) => sign.charCodeAt(0));
  const bitmap = await createImageBitmap(new Blob([bytes], { type: picture.type }));
  if (signal.aborted || node.querySelector("canvas")) return;
  const canvas = el("canvas", { class: "picture-canvas" });
  canvas.width = SIDE_PX;
  canvas.height = SIDE_PX;
  const side = Math.min(bitmap.width, bitmap.height);
  const [left, top] = [(bitmap.width - side) / 2, (bitmap.height - side) / 2];
  canvas.getContext("2d").drawImage(bitmap, left, top, side, side, 0, 0, SIDE_PX, SIDE_PX);
  bitmap.close();
  node.prepend(canvas);
}
