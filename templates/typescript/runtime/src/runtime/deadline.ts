import { AbortedError, type SvcError, TimedOutError } from "./errors.ts";

/** The longest time that `setTimeout` can wait. */
const longestTimerMs = 0x7fffffff;

/** The end of a call: its time is over, or its caller aborts it. */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #endsAt: number;
  readonly #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #forget: () => void;
  /** Rejects what `guard` waits for. */
  #interrupt: ((error: SvcError) => void) | undefined;

  constructor(timeoutMs: number, signal: AbortSignal | undefined) {
    this.#endsAt = performance.now() + timeoutMs;
    const abort = (): void => {
      this.#end(
        new AbortedError("the caller aborted the call", {
          cause: signal?.reason as unknown,
        }),
      );
    };
    if (timeoutMs !== Infinity)
      this.#timer = setTimeout(
        () => {
          this.#end(
            new TimedOutError(`no answer within ${String(timeoutMs)} ms`),
          );
        },
        Math.min(timeoutMs, longestTimerMs),
      );
    signal?.addEventListener("abort", abort);
    this.#forget = () => {
      signal?.removeEventListener("abort", abort);
    };
    if (signal?.aborted) abort();
  }

  /** Aborts when the call ends before its answer. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** What is left of the time, in milliseconds. */
  get remainingMs(): number {
    return this.#endsAt - performance.now();
  }

  /**
   * Waits for `work`, at most until the end; then throws the end's error. One
   * at a time.
   */
  guard<T>(work: Promise<T>): Promise<T> {
    // Not by Promise.race, which costs a quick call more than all the rest here.
    return new Promise((resolve, reject) => {
      this.#interrupt = reject;
      if (this.signal.aborted) reject(this.signal.reason as SvcError);
      work.then(resolve, reject);
    });
  }

  /** Waits, at most until the end. */
  async sleep(ms: number): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    try {
      await this.guard(
        new Promise<void>((resolve) => {
          timer = setTimeout(resolve, ms);
        }),
      );
    } finally {
      clearTimeout(timer);
    }
  }

  /** Lets go of the timer and of the caller's signal. */
  dispose(): void {
    clearTimeout(this.#timer);
    this.#forget();
  }

  #end(error: SvcError): void {
    this.#interrupt?.(error);
    this.#controller.abort(error);
  }
}
