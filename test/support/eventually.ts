import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';

const pollMs = 10;
const maxMs = 30_000;

/** Polls the state of a database or another process until `read` returns a value. */
export async function eventually<T>(read: () => Promise<T | undefined>): Promise<T> {
  const deadline = performance.now() + maxMs;
  for (;;) {
    const value = await read();
    if (value !== undefined) return value;
    assert.ok(performance.now() < deadline, `no value within ${maxMs} ms: ${String(read)}`);
    await wait(pollMs);
  }
}
