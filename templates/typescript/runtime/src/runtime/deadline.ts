import { AbortedError, TimedOutError } from "./errors.ts";

/** The deadline of a call, which its caller can also abort. */
export class Deadline {
  readonly #controller = new AbortController();
  /** Aborts when the deadline passes or the caller aborts. */
  readonly signal: AbortSignal = this.#controller.signal;
  /** Aborts as the caller does. */
  readonly abort: () => void;
  readonly #endsAt: number;
  /** Releases the timer and the caller's signal. */
  readonly dispose: () => void;

  /** `what` has the deadline, for the message of its error. */
  constructor(
    timeoutMs: number,
    caller: AbortSignal | undefined,
    what = "call",
  ) {
    this.#endsAt = performance.now() + timeoutMs;
    const abort = (this.abort = (): void => {
      this.#controller.abort(
        new AbortedError("the call was aborted", {
          cause: caller?.reason as unknown,
        }),
      );
    });
    // AbortSignal.timeout has no `clearTimeout`, and Node exits before it fires.
    const longestTimerMs = 0x7fffffff; // of `setTimeout`
    const timer =
      timeoutMs <= longestTimerMs
        ? setTimeout(() => {
            this.#controller.abort(
              new TimedOutError(
                `the ${what} did not end within ${timeoutMs} ms`,
              ),
            );
          }, timeoutMs)
        : undefined;
    caller?.addEventListener("abort", abort);
    this.dispose = () => {
      clearTimeout(timer);
      caller?.removeEventListener("abort", abort);
    };
    if (caller?.aborted) abort();
  }

  /** Milliseconds until the deadline. */
  get remainingMs(): number {
    return this.#endsAt - performance.now();
  }

  /**
   * Waits for `work`. Throws if the deadline passes or the caller aborts first.
   * Supports one `work` or `sleep` at a time.
   */
  guard<T>(work: Promise<T>): Promise<T> {
    // Promise.race would be the most expensive part of a quick call.
    return new Promise((resolve, reject) => {
      work.then(resolve, reject);
      this.signal.onabort = () => {
        reject(this.signal.reason as Error);
      };
      this.signal.throwIfAborted();
    });
  }

  /** Sleeps. Throws if the deadline passes or the caller aborts first. */
  sleep(ms: number): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    return this.guard(
      new Promise<void>((resolve) => {
        timer = setTimeout(resolve, ms);
      }),
    ).finally(() => {
      clearTimeout(timer);
    });
  }
}
