import assert from 'node:assert/strict';
import { countFromEnd, EventRing, type Sized } from '../../../../service/engine/follow/event-ring.ts';

const item = (bytes: number): Sized<number> => ({ message: bytes, bytes });

describe('the ring of events', () => {
  const bounds = { replay: { events: 3, bytes: 10 }, buffer: { events: 5, bytes: 20 } };
  const ringOf = (...sizes: number[]): EventRing<number> => {
    const ring = new EventRing<number>(bounds);
    for (const bytes of sizes) ring.append(item(bytes));
    return ring;
  };

  it('keeps up to the maximum number of events', () => {
    assert.deepEqual([ringOf(1, 1, 1, 1, 1).start, ringOf(1, 1, 1, 1, 1).end], [0, 5]);
    assert.deepEqual([ringOf(1, 1, 1, 1, 1, 1).start, ringOf(1, 1, 1, 1, 1, 1).end], [1, 6]);
  });

  it('keeps up to the maximum number of bytes', () => {
    assert.equal(ringOf(10, 10).start, 0);
    assert.equal(ringOf(10, 10, 1).start, 1);
    assert.equal(ringOf(10, 10, 11).start, 2);
  });

  it('always keeps the latest event', () => {
    const ring = ringOf(1, 100);
    assert.deepEqual([ring.start, ring.read(1, 10)], [1, [100]]);
    ring.append(item(1));
    assert.deepEqual([ring.start, ring.read(2, 10)], [2, [1]]);
  });

  it('replays no more events and bytes than a new reader may receive', () => {
    assert.equal(ringOf().replayStart(), 0);
    assert.equal(ringOf(1, 1, 1).replayStart(), 0);
    assert.equal(ringOf(1, 1, 1, 1).replayStart(), 1);
    assert.equal(ringOf(1, 5, 5).replayStart(), 1);
    assert.equal(ringOf(1, 5, 6).replayStart(), 2);
    assert.equal(ringOf(1, 1, 11).replayStart(), 2);
    assert.equal(ringOf(1, 1, 1, 1, 1, 1, 1).replayStart(), 4);
  });

  it('continues from any retained position', () => {
    const ring = ringOf(1, 2, 3, 4, 5, 5);
    assert.deepEqual(ring.read(1, 9), [2, 3, 4]);
    assert.deepEqual(ring.read(1, 8), [2, 3]);
    assert.deepEqual(ring.read(4, 1), [5]);
    assert.deepEqual(ring.read(6, 9), []);
  });

  it('counts items from the end', () => {
    const count = (events: number, bytes: number): number =>
      countFromEnd([4, 3, 2, 1], { events, bytes }, (bytes) => bytes);
    assert.deepEqual([count(4, 10), count(4, 9), count(2, 10), count(4, 0), count(0, 10)], [4, 3, 2, 1, 0]);
  });
});
