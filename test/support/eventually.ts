import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';

const pollMs = 10;
const maxMs = 30_000;

/** Polls until there is a value, for state of a database or another process. */
export async function eventually<T>(read: () => Promise<T | undefined>): Promise<T> {
  const deadline = performance.now() + maxMs;
  for (;;) {
    const value = await read();
    if (value !== undefined) return value;
    assert.ok(performance.now() < deadline, `no value within ${maxMs} ms: ${String(read)}`);
    await wait(pollMs);
  }
}
