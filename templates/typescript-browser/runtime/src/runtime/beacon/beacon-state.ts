/** Time between two beats, and the longest wait after one that failed, in milliseconds. */
export const beatEveryMs = 240_000;

/** Wait after the first beat that failed, in milliseconds. It doubles with each further one. */
export const firstRetryMs = 30_000;

/**
 * Where a beacon is: whether it may beat, and when it has to. Times are
 * milliseconds since 1970.
 */
export interface BeaconState {
  /** Started, and not stopped since. */
  readonly isOn: boolean;
  /** The page is loaded and visible. */
  readonly isShown: boolean;
  readonly isOnline: boolean;
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

/** What happens to a beacon. */
export type BeaconEvent =
  | { readonly type: "start" | "stop" }
  | {
      readonly type: "page";
      readonly isShown: boolean;
      readonly isOnline: boolean;
    }
  /** The turn that was asked for has come. */
  | { readonly type: "turn" }
  /** The wait is over. */
  | { readonly type: "due" }
  /** Somebody wants a beat now. */
  | { readonly type: "beat" }
  | { readonly type: "succeeded" }
  | { readonly type: "failed"; readonly retryAfterMs: number | undefined };

/** What a beacon has to do. */
export type BeaconCommand =
  | { readonly do: "askTurn" | "leaveTurn" | "send" | "stopWaiting" }
  | { readonly do: "wait"; readonly ms: number };

/** A beacon before its start: its first beat is due at once. */
export const newBeacon: BeaconState = {
  isOn: false,
  isShown: false,
  isOnline: false,
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
  const changed = change(state, event, now);
  const next = isActive(changed) ? changed : { ...changed, hasTurn: false };
  const commands: BeaconCommand[] = [];
  if (isActive(next) && !isActive(state)) commands.push({ do: "askTurn" });
  if (!isActive(next) && isActive(state)) commands.push({ do: "leaveTurn" });
  if (isWaiting(state) && !isWaiting(next))
    commands.push({ do: "stopWaiting" });
  if (next.isBeating && !state.isBeating) commands.push({ do: "send" });
  if (isWaiting(next) && !isWaiting(state))
    commands.push({ do: "wait", ms: waitMs(next, now) });
  return { state: next, commands };
}

function change(
  state: BeaconState,
  event: BeaconEvent,
  now: number,
): BeaconState {
  switch (event.type) {
    case "start":
      return { ...state, isOn: true };
    case "stop":
      return { ...state, isOn: false };
    case "page":
      return { ...state, isShown: event.isShown, isOnline: event.isOnline };
    case "turn":
      return { ...state, hasTurn: true };
    case "due":
      return { ...state, isBeating: state.isBeating || isWaiting(state) };
    case "beat":
      return { ...state, isBeating: true };
    case "succeeded":
      return ended(state, 0, beatEveryMs, now);
    case "failed": {
      const backoffMs = Math.min(
        firstRetryMs * 2 ** state.failures,
        beatEveryMs,
      );
      const pauseMs = Math.max(backoffMs, event.retryAfterMs ?? 0);
      return ended(state, state.failures + 1, pauseMs, now);
    }
  }
}

function ended(
  state: BeaconState,
  failures: number,
  pauseMs: number,
  now: number,
): BeaconState {
  return {
    ...state,
    isBeating: false,
    failures,
    pauseMs,
    dueAt: now + pauseMs,
  };
}

/** It would beat if it were its turn. */
function isActive({ isOn, isShown, isOnline }: BeaconState): boolean {
  return isOn && isShown && isOnline;
}

/** It is its turn, and nothing but time is missing. */
function isWaiting(state: BeaconState): boolean {
  return isActive(state) && state.hasTurn && !state.isBeating;
}

/** A clock that was set back does not make a wait longer than it was meant to be. */
function waitMs({ dueAt, pauseMs }: BeaconState, now: number): number {
  return Math.min(Math.max(0, dueAt - now), pauseMs);
}
