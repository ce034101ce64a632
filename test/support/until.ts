import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';

const MOST_MS = 30_000;

/** Waits for a condition, checked in each turn of the event loop. Fails after half a minute. */
export async function until(reached: () => boolean): Promise<void> {
  const deadline = performance.now() + MOST_MS;
  while (!reached()) {
    assert.ok(performance.now() < deadline, `still not so after ${MOST_MS} ms: ${String(reached)}`);
    await turn();
  }
}
