import assert from 'node:assert/strict';
import { threadMs } from '../../service/work/thread-time.ts';
import { retryThisTest } from './retry-turns.ts';

/** Measures how long this thread works from one turn of the event loop to the next. */
export interface TurnWatch {
  /** Stops, and returns the longest turn in milliseconds of this thread's processor time. */
  stop(): number;
}

/** Starts to measure with this turn. It measures processor time, so the load of other programs does not count. */
export function watchTurns(): TurnWatch {
  let seenAt = threadMs();
  let longestMs = 0;
  const look = (): void => {
    const now = threadMs();
    longestMs = Math.max(longestMs, now - seenAt);
    seenAt = now;
  };
  const timer = setInterval(look, 1);
  return {
    stop: () => {
      clearInterval(timer);
      look();
      return longestMs;
    },
  };
}

/**
 * Fails if a turn took longer than the limit on the reference machine, where the workload below takes 12 ms. The limit
 * grows in proportion on a machine that is slower, or whose memory other programs use at the same time. The test has
 * three attempts, because other programs may also lengthen a single turn.
 */
export function assertTurn(longestMs: number, limitMs: number, title = 'a turn'): void {
  if (longestMs < limitMs) return;
  const factor = Math.max(1, sampleMs() / 12);
  const isShort = longestMs < limitMs * factor;
  if (!isShort) retryThisTest();
  assert.ok(
    isShort,
    `${title} took ${longestMs} ms, limit ${limitMs} on a machine that takes ${factor.toFixed(1)} times as long as the one of reference`,
  );
}

/**
 * Returns the processor time of writing and reading 4 MiB of base64 in JSON, in milliseconds: the median of five runs.
 */
function sampleMs(): number {
  const times = Array.from({ length: 5 }, () => {
    const startedAt = threadMs();
    const text = JSON.stringify(Buffer.alloc(4_194_304, 7).toString('base64'));
    Buffer.from(JSON.parse(Buffer.from(text).toString()) as string, 'base64');
    return threadMs() - startedAt;
  });
  return times.sort((a, b) => a - b)[2] ?? 0;
}

/** Keeps the processor busy for a number of milliseconds of this thread. */
export function burn(ms: number): void {
  const end = threadMs() + ms;
  while (threadMs() < end);
}
