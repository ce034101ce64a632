import { setTimeout as pause } from 'node:timers/promises';
import { isUnavailable } from './database-errors.ts';

const pauseMs = { first: 100, max: 2_000 };

/** How long streams wait for a database that is unavailable. */
const outageMs = 30_000;

/**
 * Repeats work while the database is unavailable, for at most `ms` milliseconds. An attempt that failed may have been committed,
 * so the work must be idempotent.
 *
 * @param signal ends the wait for the next attempt, with an `AbortError`
 */
export async function outlast<T>(
  work: () => Promise<T>,
  { ms = outageMs, signal }: { ms?: number; signal?: AbortSignal } = {},
): Promise<T> {
  const deadline = performance.now() + ms;
  for (let delay = pauseMs.first; ; delay = Math.min(delay * 2, pauseMs.max)) {
    try {
      return await work();
    } catch (error) {
      if (!isUnavailable(error) || performance.now() + delay > deadline) throw error;
      await pause(delay, undefined, { signal });
    }
  }
}
