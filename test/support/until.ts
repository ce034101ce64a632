import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';

const MOST_MS = 30_000;

/** Waits for what other parties bring about, turn by turn of the event loop; half a minute only passes when it never comes. */
export async function until(reached: () => boolean): Promise<void> {
  const deadline = performance.now() + MOST_MS;
  while (!reached()) {
    assert.ok(performance.now() < deadline, `still not so after ${MOST_MS} ms: ${String(reached)}`);
    await turn();
  }
}
