import type { Clock } from '../../service/clock.ts';

/** A clock that a test controls. */
export interface ManualClock extends Clock {
  /** Advances the clock by a number of milliseconds, or moves it back if negative. */
  advance(ms: number): void;
}

export function manualClock(start = 1_795_000_000_000): ManualClock {
  let now = start;
  return {
    now: () => now,
    advance: (ms) => {
      now += ms;
    },
  };
}
