import type { Clock } from '../../service/clock.ts';

/** A clock that a test moves by hand. */
export interface ManualClock extends Clock {
  /** Moves it by so many milliseconds, back with a negative number. */
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
