import { TransientMap } from '../../transient-map.ts';
import type { RunEnd } from './run-end.ts';

/** Waits for runs of this process. A wait costs one entry here: no thread, no connection. */
interface Waiters {
  /**
   * Resolves with the run's end, or with `undefined` after the timeout, or once the run leaves this process or the caller has
   * left.
   */
  next(executionId: string, timeoutMs: number, signal: AbortSignal | undefined): Promise<RunEnd | undefined>;
  /** Resolves the waits for a run that has ended, has paused, or has left this process. */
  settle(executionId: string, end: RunEnd | undefined): void;
  /** Ends all waits with `undefined`. */
  close(): void;
}

/** Creates an empty set of waits. Waits that begin after `close` are accepted. */
export function createWaiters(): Waiters {
  const waiting = new TransientMap<string, Set<(end: RunEnd | undefined) => void>>();

  return {
    next: (executionId, timeoutMs, signal) =>
      new Promise((resolve) => {
        const waiters = waiting.get(executionId) ?? new Set();
        waiting.set(executionId, waiters);
        const leave = (end: RunEnd | undefined): void => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', giveUp);
          waiters.delete(leave);
          if (waiters.size === 0 && waiting.get(executionId) === waiters) waiting.delete(executionId);
          resolve(end);
        };
        const giveUp = (): void => leave(undefined);
        const timer = setTimeout(giveUp, timeoutMs);
        waiters.add(leave);
        if (signal?.aborted) giveUp();
        else signal?.addEventListener('abort', giveUp, { once: true });
      }),
    settle: (executionId, end) => {
      for (const leave of [...(waiting.get(executionId) ?? [])]) leave(end);
    },
    close: () => {
      for (const waiters of waiting.values()) for (const leave of [...waiters]) leave(undefined);
    },
  };
}
