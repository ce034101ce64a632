import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { TransientMap } from '../../transient-map.ts';
import { callFailed, type InvokeOutcome } from '../container/invoke-outcome.ts';

/** The outcome of a call whose process exits before the node has responded. */
export const callCutOff = callFailed('cancelled', 'the service was stopped before the node answered');

/** The direct calls in progress, so that a process that exits records each of them. */
export class OpenCalls {
  #open = 0;
  #onSettled: (() => void) | undefined;
  /** By number of the call. */
  readonly #waiting = new TransientMap<number, (outcome: InvokeOutcome) => void>();
  #calls = 0;
  readonly #ending = new AbortController();
  #ended = false;

  constructor() {
    // Every open stream listens to the signal.
    setMaxListeners(0, this.#ending.signal);
  }

  /** Fires when `end` is called. */
  get ending(): AbortSignal {
    return this.#ending.signal;
  }

  /** Counts a call as open until it settles. */
  track<T>(call: Promise<T>): Promise<T> {
    this.#open += 1;
    call.then(this.#settle, this.#settle);
    return call;
  }

  /** Resolves with the response from a container, or with a failure once `end` is called. */
  untilEnd(invoke: () => Promise<InvokeOutcome>): Promise<InvokeOutcome> {
    if (this.#ended) return Promise.resolve(callCutOff);
    return new Promise((resolve, reject) => {
      const call = (this.#calls += 1);
      this.#waiting.set(call, resolve);
      invoke()
        .finally(() => this.#waiting.delete(call))
        .then(resolve, reject);
    });
  }

  /** Ends the calls that wait for a container, and any that would start waiting. */
  end(): void {
    this.#ended = true;
    this.#ending.abort();
    for (const resolve of this.#waiting.values()) resolve(callCutOff);
  }

  /** Waits until every call has settled, at most `graceMs`. */
  async settled(graceMs: number): Promise<void> {
    const settled = new Promise<void>((resolve) => (this.#onSettled = resolve));
    if (this.#open > 0) await Promise.race([settled, pause(graceMs, undefined, { ref: false })]);
  }

  readonly #settle = (): void => {
    this.#open -= 1;
    if (this.#open === 0) this.#onSettled?.();
  };
}
