import { AbortedError, type SvcError, TimedOutError } from "./errors.ts";

/** Longest delay that `setTimeout` supports. */
const longestTimerMs = 0x7fffffff;

/** The deadline of a call, which its caller can also abort. */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #endsAt: number;
  readonly #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #forget: () => void;
  /** Rejects the promise that `guard` is waiting for. */
  #interrupt: ((error: SvcError) => void) | undefined;

  /** `what` has the deadline, for the message of its error. */
  constructor(
    timeoutMs: number,
    signal: AbortSignal | undefined,
    what = "call",
  ) {
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
            new TimedOutError(
              `the ${what} did not complete within ${String(timeoutMs)} ms`,
            ),
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

  /** Aborts when the deadline passes or the caller aborts. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Milliseconds until the deadline. */
  get remainingMs(): number {
    return this.#endsAt - performance.now();
  }

  /**
   * Waits for `work`. Throws if the deadline passes or the caller aborts first.
   * Supports one `work` at a time.
   */
  guard<T>(work: Promise<T>): Promise<T> {
    // Promise.race would be the most expensive part of a quick call.
    return new Promise((resolve, reject) => {
      this.#interrupt = reject;
      if (this.signal.aborted) reject(this.signal.reason as SvcError);
      work.then(resolve, reject);
    });
  }

  /** Sleeps, at most until the deadline. */
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

  /** Releases the timer and the caller's signal. */
  dispose(): void {
    clearTimeout(this.#timer);
    this.#forget();
  }

  #end(error: SvcError): void {
    this.#interrupt?.(error);
    this.#controller.abort(error);
  }
}
