// What a frame owes its host and its reader: the size it has, the address of a link that was
// pressed, and timers that end with it.
//
// Never asks the host: how its size is told is handed in. Start at newSizeTeller().

import { webAddress } from "./el.js";
import { addressToCopy } from "./parts.js";

/**
 * @param {Window} view
 * @param {AbortSignal} signal Nothing is told after it.
 * @param {(run: () => void, ms: number) => unknown} later
 * @param {(width: number, height: number) => void} tell
 * @returns {() => void} Tells the size once what is being drawn stands, unless the host knows it.
 */
export function newSizeTeller(view, signal, later, tell) {
  let told = "";
  let isDue = false;
  const now = () => {
    if (!isDue || signal.aborted) return;
    isDue = false;
    const height = Math.ceil(view.document.documentElement.getBoundingClientRect().height);
    const size = `${view.innerWidth} ${height}`;
    if (size === told || height === 0) return;
    told = size;
    tell(view.innerWidth, height);
  };
  return () => {
    if (isDue || signal.aborted) return;
    isDue = true;
    // A frame that the host still hides has no animation frames; the timer tells its size all the same.
    view.requestAnimationFrame(now);
    later(now, 100);
  };
}

/**
 * Timers that end with the view: `later` starts one, `never` stops it, `stop` stops all.
 * @param {AbortSignal} signal
 */
export function newTimers(signal) {
  const timers = new Set();
  const never = (timer) => {
    timers.delete(timer);
    clearTimeout(timer);
  };
  const later = (run, ms) => {
    if (signal.aborted) return null;
    const timer = setTimeout(() => {
      timers.delete(timer);
      run();
    }, ms);
    timers.add(timer);
    return timer;
  };
  return { later, never, stop: () => timers.forEach(never) };
}

/**
 * Hands on the address of each link that is pressed, and shows it: the frame itself opens none.
 * @param {Element} main
 * @param {AbortSignal} signal
 * @param {(address: string) => void} opened
 */
export function listenForLinks(main, signal, opened) {
  const linkOf = ({ target }) => (target instanceof Element ? target.closest("a[href]") : null);
  document.addEventListener(
    "click",
    (event) => {
      const link = linkOf(event);
      if (!link) return;
      event.preventDefault();
      const address = webAddress(link.getAttribute("href"));
      if (!address) return;
      showAddress(main, link, address);
      opened(address);
    },
    { signal },
  );
  document.addEventListener("auxclick", (event) => linkOf(event) && event.preventDefault(), {
    signal,
  });
}

// A host may refuse, stay silent, or say yes and open nothing: the address stands beside the link.
function showAddress(root, link, address) {
  for (const other of root.querySelectorAll(".address")) other.remove();
  const line = link.closest(".row");
  if (line) line.append(addressToCopy(address));
  else
    (link.closest(".actions, .markdown p, .markdown li, .branches") ?? link).after(
      addressToCopy(address),
    );
}
