import { AbortedError, type ErrorDetails, TimedOutError } from "./errors.ts";

/** Listeners of the callers' signals. */
const aborts = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls back when a caller aborts, or immediately if the signal is aborted.
 * Returns a function to stop. Calls that share a signal share one listener,
 * because Node.js 20 warns about more than ten.
 */
export function onAbort(signal: AbortSignal, abort: () => void): () => unknown {
  let all = aborts.get(signal);
  if (!all) {
    const calls = (all = new Set());
    aborts.set(signal, calls);
    signal.addEventListener("abort", () => {
      for (const each of calls) each();
    });
  }
  all.add(abort);
  if (signal.aborted) abort();
  return () => all.delete(abort);
}

/** The deadline of a call, which the caller can also abort. */
export class Deadline extends AbortController {
  /** Details of the timeout error, such as the last failure. */
  declare details: ErrorDetails | undefined;
  /**
   * Aborts the current work. For a fast call, a listener on the signal would cost
   * more than the rest of the deadline.
   */
  declare stop: ((reason: unknown) => void) | undefined;
  readonly #endsAt: number;
  /** Releases the timer and the caller's signal. */
  declare readonly dispose: () => void;

  /** `what` is the subject of the timeout's error message. */
  constructor(
    timeoutMs: number,
    caller: AbortSignal | undefined,
    what = "call",
  ) {
    super();
    this.#endsAt = performance.now() + timeoutMs;
    // AbortSignal.timeout has no `clearTimeout`, and Node exits before it fires.
    const longestTimerMs = 2e9; // `setTimeout` fires immediately beyond 2 ** 31.
    const timer =
      timeoutMs <= longestTimerMs
        ? setTimeout(() => {
            this.abort(
              new TimedOutError(
                `the ${what} did not end within ${timeoutMs} ms`,
                this.details,
              ),
            );
          }, timeoutMs)
        : undefined;
    const stop =
      caller &&
      onAbort(caller, () => {
        this.abort(
          new AbortedError("the call was aborted", {
            cause: caller.reason as unknown,
          }),
        );
      });
    this.dispose = () => {
      clearTimeout(timer);
      stop?.();
    };
  }

  /** Aborts the work early. */
  override abort(reason: unknown): void {
    super.abort(reason);
    this.stop?.(reason);
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
    // Promise.race would be the most expensive part of a fast call.
    return new Promise((resolve, reject) => {
      work.then(resolve, reject);
      this.stop = reject;
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
