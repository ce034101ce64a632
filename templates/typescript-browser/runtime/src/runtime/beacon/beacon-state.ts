/** Time between two beats, and the longest wait after one that failed, in milliseconds. */
const beatEveryMs = 240_000;

/** Wait after the first beat that failed, in milliseconds. It doubles with each further one. */
const firstRetryMs = 30_000;

/** The longest time that a timer can wait, in milliseconds. */
const longestTimerMs = 0x7fffffff;

/**
 * Where a beacon is: whether it may beat, and when it has to. Times are
 * milliseconds since 1970.
 */
export interface BeaconState {
  /** Started, and not stopped since. */
  readonly isOn: boolean;
  /** The page is loaded, visible and online. */
  readonly isAwake: boolean;
  /** It is this tab that beats, of all that show the same client. */
  readonly hasTurn: boolean;
  /** A beat is on its way. */
  readonly isBeating: boolean;
  /** Beats that failed since one succeeded. */
  readonly failures: number;
  /** When the next beat is due, and the wait that led to it. */
  readonly dueAt: number;
  readonly pauseMs: number;
}

/**
 * What happens to a beacon: it is started and stopped, its page wakes and
 * sleeps, the turn comes that was asked for, a wait is over (`due`), somebody
 * wants a beat now, and a beat ends. One that failed may tell how long the
 * service asks to wait.
 */
export type BeaconEvent =
  | "start"
  | "stop"
  | "wake"
  | "sleep"
  | "turn"
  | "due"
  | "beat"
  | "succeeded"
  | { readonly retryAfterMs: number | undefined };

/** What a beacon has to do; `waitMs` says how long to wait. */
export type BeaconCommand =
  "askTurn" | "leaveTurn" | "stopWaiting" | "send" | "wait";

/** A beacon before its start: its first beat is due at once. */
export const newBeacon: BeaconState = {
  isOn: false,
  isAwake: false,
  hasTurn: false,
  isBeating: false,
  failures: 0,
  dueAt: 0,
  pauseMs: 0,
};

/** What becomes of a beacon at an event, and what it has to do; a pure function. */
export function advance(
  state: BeaconState,
  event: BeaconEvent,
  now: number,
): { state: BeaconState; commands: BeaconCommand[] } {
  const changed = { ...state, ...change(state, event, now) };
  const isActive = changed.isOn && changed.isAwake;
  const wasActive = state.isOn && state.isAwake;
  const next = { ...changed, hasTurn: changed.hasTurn && isActive };
  const commands: BeaconCommand[] = [];
  if (isActive !== wasActive) commands.push(isActive ? "askTurn" : "leaveTurn");
  if (isWaiting(state) && !isWaiting(next)) commands.push("stopWaiting");
  if (next.isBeating && !state.isBeating) commands.push("send");
  if (isWaiting(next) && !isWaiting(state)) commands.push("wait");
  return { state: next, commands };
}

/** How long it has to wait; no longer than was meant when a clock is set back. */
export function waitMs({ dueAt, pauseMs }: BeaconState, now: number): number {
  return Math.min(Math.max(0, dueAt - now), pauseMs);
}

function change(
  state: BeaconState,
  event: BeaconEvent,
  now: number,
): Partial<BeaconState> {
  switch (event) {
    case "start":
    case "stop":
      return { isOn: event === "start" };
    case "wake":
    case "sleep":
      return { isAwake: event === "wake" };
    case "turn":
      return { hasTurn: true };
    case "due":
      return { isBeating: state.isBeating || isWaiting(state) };
    case "beat":
      return { isBeating: true };
    case "succeeded":
      return ended(0, beatEveryMs, now);
    default: {
      const backoffMs = firstRetryMs * 2 ** state.failures;
      const pauseMs = Math.max(
        Math.min(backoffMs, beatEveryMs),
        event.retryAfterMs ?? 0,
      );
      return ended(state.failures + 1, pauseMs, now);
    }
  }
}

function ended(
  failures: number,
  wishMs: number,
  now: number,
): Partial<BeaconState> {
  const pauseMs = Math.min(wishMs, longestTimerMs);
  return { isBeating: false, failures, pauseMs, dueAt: now + pauseMs };
}

/** It is its turn, and nothing but time is missing. A beacon that is not active has no turn. */
function isWaiting({ hasTurn, isBeating }: BeaconState): boolean {
  return hasTurn && !isBeating;
}
