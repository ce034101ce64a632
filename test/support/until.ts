import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';

/** Waits for what other parties bring about, turn by turn of the event loop, for at most five seconds. */
export async function until(reached: () => boolean): Promise<void> {
  const deadline = performance.now() + 5000;
  while (!reached()) {
    assert.ok(performance.now() < deadline, `still not so after five seconds: ${String(reached)}`);
    await turn();
  }
}
