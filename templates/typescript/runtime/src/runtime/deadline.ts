import { AbortedError, type ErrorDetails, TimedOutError } from "./errors.ts";

/** What the signals of callers abort. */
const aborts = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls back when a caller aborts, or at once if that is done. Returns a
 * function to stop. However many calls share a signal, it has one listener:
 * Node.js 20 warns of more than ten.
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

/** The deadline of a call, which its caller can also abort. */
export class Deadline extends AbortController {
  /** Why the work was not done in time, for the error. */
  declare details: ErrorDetails | undefined;
  /**
   * Ends the current work. A listener on the signal would cost a quick call more
   * than the rest of its deadline.
   */
  declare stop: ((reason: unknown) => void) | undefined;
  readonly #endsAt: number;
  /** Releases the timer and the caller's signal. */
  declare readonly dispose: () => void;

  /** `what` has the deadline, for the message of its error. */
  constructor(
    timeoutMs: number,
    caller: AbortSignal | undefined,
    what = "call",
  ) {
    super();
    this.#endsAt = performance.now() + timeoutMs;
    // AbortSignal.timeout has no `clearTimeout`, and Node exits before it fires.
    const longestTimerMs = 2e9; // `setTimeout` fires at once beyond 2 ** 31.
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

  /** Ends the work early. */
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
    // Promise.race would be the most expensive part of a quick call.
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
