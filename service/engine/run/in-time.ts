import { setTimeout as pause } from 'node:timers/promises';

/** Returns the result of the work, or `undefined` if it takes more than `ms` milliseconds. The work continues. */
export async function inTime<T>(work: Promise<T>, ms: number): Promise<T | undefined> {
  const timer = new AbortController();
  const tooLate = pause(ms, undefined, { signal: timer.signal }).catch(() => undefined);
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    timer.abort();
  }
}
