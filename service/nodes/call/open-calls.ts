import { setTimeout as pause } from 'node:timers/promises';
import { callFailed, type InvokeOutcome } from '../container/invoke-outcome.ts';

const callCutOff = callFailed('cancelled', 'the service was stopped before the node answered');

/** The direct calls under way, so that a process that ends records each of them. */
export class OpenCalls {
  readonly #open = new Set<Promise<unknown>>();
  readonly #waiting = new Set<(outcome: InvokeOutcome) => void>();
  #ended = false;

  /** Counts a call as open until it settles. */
  async track<T>(call: Promise<T>): Promise<T> {
    this.#open.add(call);
    try {
      return await call;
    } finally {
      this.#open.delete(call);
    }
  }

  /** Resolves with the answer of a container, or with a failure once `end` is called. */
  untilEnd(invoke: () => Promise<InvokeOutcome>): Promise<InvokeOutcome> {
    if (this.#ended) return Promise.resolve(callCutOff);
    return new Promise((resolve, reject) => {
      this.#waiting.add(resolve);
      invoke()
        .then(resolve, reject)
        .finally(() => this.#waiting.delete(resolve));
    });
  }

  /** Ends the calls that wait for a container, and those that would. */
  end(): void {
    this.#ended = true;
    for (const resolve of this.#waiting) resolve(callCutOff);
  }

  /** Waits until every call has settled, at most `graceMs`. */
  async settled(graceMs: number): Promise<void> {
    await Promise.race([Promise.allSettled(this.#open), pause(graceMs, undefined, { ref: false })]);
  }
}
