/**
 * Interval between beats and maximum delay after a failure, in milliseconds.
 */
export const beatEveryMs = 240_000;

/**
 * Delay after the first failed beat, in milliseconds. Doubles with each
 * failure.
 */
const firstRetryMs = 30_000;

/** Maximum delay of a timer, in milliseconds. Browsers support up to 2^31 - 1. */
const longestTimerMs = 2e9;

/** When the next beat is due. Shared by all pages of the origin. */
export interface BeaconSchedule {
  /** Number of consecutive failed beats. */
  readonly failures: number;
  /**
   * Time of the next beat in milliseconds since 1970, and the delay before it.
   */
  readonly dueAt: number;
  readonly pauseMs: number;
}

/** Reports whether a stored value is a schedule. */
export function isSchedule(value: unknown): value is BeaconSchedule {
  const { failures, dueAt, pauseMs } = Object(value) as BeaconSchedule;
  return [failures, dueAt, pauseMs].every((number) => number >= 0);
}

/** State of a beacon: whether it can beat, and when. */
export interface BeaconState extends BeaconSchedule {
  /** Whether the beacon is started. */
  readonly isOn: boolean;
  /** Whether the page is loaded, visible and online. */
  readonly isAwake: boolean;
  /** Whether it is this tab's turn among all tabs of the same client. */
  readonly hasTurn: boolean;
  /** Whether a beat is pending. */
  readonly isBeating: boolean;
}

/** Initial state. The first beat is due immediately. */
export const newBeacon: BeaconState = {
  isOn: false,
  isAwake: false,
  hasTurn: false,
  isBeating: false,
  failures: 0,
  dueAt: 0,
  pauseMs: 0,
};

/** Applies a change. An inactive beacon has no turn. */
export function advance(
  state: BeaconState,
  change: Partial<BeaconState>,
): BeaconState {
  const next = { ...state, ...change };
  return { ...next, hasTurn: next.hasTurn && isActive(next) };
}

/**
 * Returns the changes after a beat that ended at `now`. `failures` is the
 * number of consecutive failures. The next beat is due after at least
 * `leastMs`.
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

/** Reports whether the beacon can beat when its turn comes. */
export function isActive({ isOn, isAwake }: BeaconState): boolean {
  return isOn && isAwake;
}

/** Reports whether the beacon is only waiting for the next due time. */
export function isWaiting({ hasTurn, isBeating }: BeaconState): boolean {
  return hasTurn && !isBeating;
}

/**
 * Returns the time until the next beat. Bounded in case the clock is set back.
 */
export function waitMs({ dueAt, pauseMs }: BeaconState, now: number): number {
  return Math.min(Math.max(0, dueAt - now), pauseMs);
}
