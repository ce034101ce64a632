import type { Clock } from '../../clock.ts';
import type { RetryPolicy } from '../graph/compiled-graph.ts';

/** The longest delay of a Node timer, about 24 days. */
const maxDelayMs = 2_147_483_647;

/**
 * Wakes steps for their next attempt, or when their pause escalates or expires. The journal holds the times, so a lost timer delays a
 * step but never loses it.
 */
export class StepTimers {
  readonly #clock: Clock;
  readonly #wake: (step: number) => void;
  readonly #timers = new Map<number, NodeJS.Timeout>();

  constructor(clock: Clock, wake: (step: number) => void) {
    this.#clock = clock;
    this.#wake = wake;
  }

  /**
   * Sets the time at which a step wakes. Replaces its earlier time.
   *
   * @param at epoch milliseconds
   */
  set(step: number, at: number): void {
    clearTimeout(this.#timers.get(step));
    const delay = Math.min(maxDelayMs, Math.max(0, at - this.#clock.now()));
    const timer = setTimeout(() => {
      this.#timers.delete(step);
      this.#wake(step);
    }, delay);
    this.#timers.set(step, timer);
  }

  clear(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }
}

/** Returns the delay before the next attempt, in milliseconds. */
export function delayAfter({ initialMs, factor, maxMs }: RetryPolicy, attempt: number): number {
  return Math.min(initialMs * factor ** (attempt - 1), maxMs);
}
