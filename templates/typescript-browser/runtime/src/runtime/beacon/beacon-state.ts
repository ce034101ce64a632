/** Time between two beats, and the longest wait after one that failed, in milliseconds. */
export const beatEveryMs = 240_000;

/** Wait after the first beat that failed, in milliseconds. It doubles with each further one. */
const firstRetryMs = 30_000;

/** The longest time that a timer can wait, in milliseconds. */
const longestTimerMs = 0x7fffffff;

/** Where a beacon is: whether it may beat, and when it has to. */
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
  /** When the next beat is due, in milliseconds since 1970, and the wait that led to it. */
  readonly dueAt: number;
  readonly pauseMs: number;
}

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

/** The beacon after a change. Without being active it has no turn. */
export function advance(
  state: BeaconState,
  change: Partial<BeaconState>,
): BeaconState {
  const next = { ...state, ...change };
  return { ...next, hasTurn: next.hasTurn && isActive(next) };
}

/**
 * What a beat changes by its end at `now`: it is the `failures`-th in a row that
 * failed, or 0, and the next one is due after `leastMs` or later.
 */
export function afterBeat(
  failures: number,
  leastMs: number,
  now: number,
): Partial<BeaconState> {
  const backoffMs = Math.min(firstRetryMs * 2 ** (failures - 1), beatEveryMs);
  const pauseMs = Math.min(Math.max(backoffMs, leastMs), longestTimerMs);
  return { isBeating: false, failures, pauseMs, dueAt: now + pauseMs };
}

/** Whether it may beat when its turn comes. */
export function isActive({ isOn, isAwake }: BeaconState): boolean {
  return isOn && isAwake;
}

/** Whether nothing but time is missing to the next beat. */
export function isWaiting({ hasTurn, isBeating }: BeaconState): boolean {
  return hasTurn && !isBeating;
}

/** How long it has to wait; no longer than was meant when a clock is set back. */
export function waitMs({ dueAt, pauseMs }: BeaconState, now: number): number {
  return Math.min(Math.max(0, dueAt - now), pauseMs);
}
