import type { Clock } from '../../clock.ts';
import type { RetryPolicy } from '../graph/compiled-graph.ts';

/** Wakes steps that wait for their next attempt. The journal knows when; a timer only saves looking. */
export interface RetryTimers {
  /** @param at epoch milliseconds */
  set(step: number, at: number): void;
  clear(): void;
}

/** The longest that a timer of Node waits: about 24 days. */
const longestMs = 2_147_483_647;

export function createRetryTimers(clock: Clock, wake: (step: number) => void): RetryTimers {
  const timers = new Map<number, NodeJS.Timeout>();
  return {
    set: (step, at) => {
      clearTimeout(timers.get(step));
      const delay = Math.min(longestMs, Math.max(0, at - clock.now()));
      const timer = setTimeout(() => {
        timers.delete(step);
        wake(step);
      }, delay);
      timers.set(step, timer);
    },
    clear: () => {
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
    },
  };
}

/** Wait after a failed attempt, milliseconds. */
export function delayAfter({ initialMs, factor, maxMs }: RetryPolicy, attempt: number): number {
  return Math.min(initialMs * factor ** (attempt - 1), maxMs);
}
