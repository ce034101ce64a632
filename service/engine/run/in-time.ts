import { setTimeout as pause } from 'node:timers/promises';

/** Waits for the work for at most `ms` milliseconds. */
export async function inTime(work: Promise<unknown>, ms: number): Promise<void> {
  const timer = new AbortController();
  await Promise.race([work, pause(ms, undefined, { signal: timer.signal }).catch(() => undefined)]);
  timer.abort();
}
