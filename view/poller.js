// When to ask again: by motion, by how long nothing changed, on screen only, never after teardown.
//
// Never touches the page or the host: the clock and the timers are handed in. Start at newPoller().

const MOVING_MS = 5_000;
const QUIET_FIRST_MS = 15_000;
const LONGEST_MS = 300_000;
// A timer that is set for more than 24.8 days runs at once.
const MOST_TOLD_MS = 86_400_000;

/**
 * @typedef {Object} Poller
 * @property {(drawing: {motion: string, age_ms: number, wait_ms?: number}) => void} drawn A drawing that changed something came, read so long ago.
 * @property {(motion: string, wait_ms?: number) => void} unchanged The answer was that nothing changed.
 * @property {(wait_ms?: number) => void} failed No answer, or a fault; `wait_ms` where it was told how long to wait.
 * @property {(isSeen: boolean) => void} seen Whether the view is on screen.
 * @property {() => void} rest Until something is drawn.
 * @property {() => void} stop For ever.
 */

/**
 * @param {{now: () => number, set: (run: () => void, ms: number) => unknown, clear: (timer: unknown) => void, ask: () => void}} with_
 * `ask` starts one question; until drawn, unchanged or failed is called, no other is started.
 * @returns {Poller}
 */
export function newPoller({ now, set, clear, ask }) {
  let isSeen = true;
  let isStopped = false;
  let wait = 0;
  let isStill = false;
  let due = null;
  let timer = null;

  const disarm = () => {
    if (timer !== null) clear(timer);
    timer = null;
  };
  const arm = () => {
    disarm();
    if (isStopped || !isSeen || due === null) return;
    timer = set(
      () => {
        timer = null;
        due = null;
        ask();
      },
      Math.max(0, due - now()),
    );
  };
  const next = (ms) => {
    due = ms === null ? null : now() + ms;
    arm();
  };

  return {
    drawn({ motion, age_ms, wait_ms }) {
      wait = firstWait(motion);
      isStill = motion === "still";
      // What was read long ago is asked for soon, so that a conversation opened again does not stay old.
      const age = Math.max(0, age_ms);
      const first = Math.min(wait, Math.max(1_000, wait - age));
      next(wait === null ? null : Math.max(first, toldWait(wait_ms) - age));
    },
    unchanged(motion, wait_ms) {
      const first = firstWait(motion);
      isStill = motion === "still";
      if (first === null || motion === "moving") wait = first;
      else wait = Math.min(LONGEST_MS, Math.max(first, (wait ?? first) * 2));
      next(wait === null ? null : Math.max(wait, toldWait(wait_ms)));
    },
    failed(wait_ms) {
      if (isStill) {
        next(null);
        return;
      }
      wait = Math.min(LONGEST_MS, Math.max(MOVING_MS, (wait ?? QUIET_FIRST_MS) * 2));
      next(toldWait(wait_ms) || wait);
    },
    seen(value) {
      if (isSeen === value) return;
      isSeen = value;
      arm();
    },
    rest: () => next(null),
    stop() {
      isStopped = true;
      disarm();
    },
  };
}

function toldWait(wait_ms) {
  return wait_ms > 0 ? Math.min(MOST_TOLD_MS, Math.max(MOVING_MS, wait_ms)) : 0;
}

function firstWait(motion) {
  if (motion === "still") return null;
  return motion === "moving" ? MOVING_MS : QUIET_FIRST_MS;
}
