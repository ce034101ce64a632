import { TransientMap } from '../../transient-map.ts';
import type { RunEnd } from './run-end.ts';

/** Who waits for runs of this process. Waiting costs an entry here, no thread and no connection. */
export interface Waiters {
  /**
   * Resolves with the run's end, or with `undefined` when it leaves this process, the time is over, or the caller is gone.
   *
   * @param ms how long
   */
  next(executionId: string, ms: number, signal: AbortSignal | undefined): Promise<RunEnd | undefined>;
  /** The run has ended, or left. */
  settle(executionId: string, end: RunEnd | undefined): void;
  /** Everybody leaves. */
  close(): void;
}

export function createWaiters(): Waiters {
  const waiting = new TransientMap<string, Set<(end: RunEnd | undefined) => void>>();

  return {
    next: (executionId, ms, signal) =>
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
        const timer = setTimeout(giveUp, ms);
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
