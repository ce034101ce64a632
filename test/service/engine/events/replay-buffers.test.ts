import assert from 'node:assert/strict';
import { ReplayBuffers } from '../../../../service/engine/events/replay-buffers.ts';
import type { RunEvent } from '../../../../service/engine/events/run-event.ts';

/** The number of bytes that an event without text counts. */
const overhead = 256;
const perSession = 8_388_608;

/** An event that counts the given number of bytes. */
const event = (number: number, bytes = overhead, character = 'x'): RunEvent => ({
  type: 'MEMORY_READ',
  eventUlid: String(number),
  executionId: 'run',
  timestampMs: number,
  memory: { key: '', json: character.repeat((bytes - overhead) / Buffer.byteLength(character)) },
});

describe('the replay buffers', () => {
  let buffers: ReplayBuffers;
  beforeEach(() => {
    buffers = new ReplayBuffers();
  });
  const kept = (session: string): number[] => buffers.of(session).map(({ timestampMs }) => timestampMs);

  it('keep the latest 1,000 events of a session', () => {
    for (let number = 1; number <= 1_000; number += 1) buffers.keep('s', event(number));
    assert.equal(kept('s').length, 1_000);
    buffers.keep('s', event(1_001));
    assert.deepEqual([kept('s').length, kept('s')[0], kept('s').at(-1)], [1_000, 2, 1_001]);
    assert.deepEqual(kept('other'), []);
  });

  for (const character of ['x', 'ü', '語']) {
    it(`keep up to 8 MiB per session, counted in bytes: ${character}`, () => {
      const odd = (perSession - 2 * overhead) % Buffer.byteLength(character);
      buffers.keep('s', event(1, perSession - overhead - odd, character));
      buffers.keep('s', event(2, overhead + odd));
      assert.deepEqual(kept('s'), [1, 2]);
      buffers.keep('s', event(3, overhead));
      assert.deepEqual(kept('s'), [2, 3]);
    });
  }

  it('drop an event larger than the buffer of a session', () => {
    buffers.keep('s', event(1, perSession));
    assert.deepEqual(kept('s'), [1]);
    buffers.keep('s', event(2, perSession + 1));
    assert.deepEqual(kept('s'), []);
  });

  it('count the bytes of the key', () => {
    const half = 'k'.repeat(perSession / 2 - overhead);
    for (const number of [1, 2]) buffers.keep('s', { ...event(number), memory: { key: half } });
    assert.deepEqual(kept('s'), [1, 2]);
    buffers.keep('s', event(3));
    assert.deepEqual(kept('s'), [2, 3]);
  });

  it('keep up to 64 MiB in total, and drop the least recently active session beyond that', () => {
    const large = event(1, perSession);
    for (let session = 0; session < 7; session += 1) buffers.keep(`s${session}`, large);
    buffers.keep('last', event(1, perSession - overhead));
    buffers.keep('last', event(2));
    assert.deepEqual(kept('s0'), [1]);
    // A session that receives an event again is active; the event replaces its old one.
    buffers.keep('s0', large);
    buffers.keep('further', event(1));
    assert.deepEqual([kept('s0'), kept('s1'), kept('s2')], [[1], [], [1]]);
    assert.deepEqual([kept('last'), kept('further')], [[1, 2], [1]]);
    // Dropped events no longer count.
    buffers.keep('another', event(1, perSession - overhead));
    assert.deepEqual(kept('s2'), [1]);
  });

  it('keep events of up to 1,000 sessions, and drop the least recently active session beyond that', () => {
    for (let session = 0; session < 1_000; session += 1) buffers.keep(`s${session}`, event(1));
    buffers.keep('s0', event(2));
    assert.deepEqual([kept('s0'), kept('s1')], [[1, 2], [1]]);
    buffers.keep('further', event(1));
    assert.deepEqual([kept('s0'), kept('s1'), kept('s2'), kept('further')], [[1, 2], [], [1], [1]]);
  });
});
