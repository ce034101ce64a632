import assert from 'node:assert/strict';
import { createTokenBuckets } from '../../../service/access/token-buckets.ts';
import { type ManualClock, manualClock } from '../../support/manual-clock.ts';

describe('token buckets', () => {
  const rate = { rps: 5, burst: 10 };
  let clock: ManualClock;
  beforeEach(() => {
    clock = manualClock();
  });

  /** How many of `attempts` takes are granted. */
  function granted(buckets: ReturnType<typeof createTokenBuckets>, attempts: number, name = 'a'): number {
    return Array.from({ length: attempts }, () => buckets.take(name, rate)).filter(Boolean).length;
  }

  it('grant the burst at once and not one more', () => {
    assert.equal(granted(createTokenBuckets(clock), 15), 10);
  });

  it('give tokens back at the rate, to the millisecond', () => {
    const buckets = createTokenBuckets(clock);
    granted(buckets, 10);
    clock.advance(199);
    assert.equal(granted(buckets, 1), 0);
    clock.advance(1);
    assert.equal(granted(buckets, 2), 1);
    clock.advance(1_000);
    assert.equal(granted(buckets, 10), 5);
  });

  it('tell how long the next token takes, to the millisecond', () => {
    const buckets = createTokenBuckets(clock);
    assert.equal(buckets.waitMs('a', rate), 0);
    granted(buckets, 10);
    assert.equal(buckets.waitMs('a', rate), 200);
    clock.advance(150);
    assert.ok(Math.abs(buckets.waitMs('a', rate) - 50) < 0.001);
    clock.advance(51);
    assert.equal(buckets.waitMs('a', rate), 0);
  });

  it('save up no more than the burst', () => {
    const buckets = createTokenBuckets(clock);
    granted(buckets, 10);
    clock.advance(3_600_000);
    assert.equal(granted(buckets, 20), 10);
  });

  it('cost nothing when they refuse', () => {
    const buckets = createTokenBuckets(clock);
    granted(buckets, 1_000);
    clock.advance(200);
    assert.equal(granted(buckets, 1), 1);
  });

  it('are apart by name', () => {
    const buckets = createTokenBuckets(clock);
    granted(buckets, 10, 'a');
    assert.equal(granted(buckets, 10, 'b'), 10);
  });

  it('follow a changed rate from the next take on', () => {
    const buckets = createTokenBuckets(clock);
    granted(buckets, 10);
    clock.advance(100);
    assert.equal(buckets.take('a', { rps: 10, burst: 10 }), true);
    clock.advance(3_600_000);
    assert.equal(buckets.take('a', { rps: 10, burst: 1 }), true);
    assert.equal(buckets.take('a', { rps: 10, burst: 1 }), false);
  });

  it('survive a clock that is set back, without gifts', () => {
    const buckets = createTokenBuckets(clock);
    granted(buckets, 10);
    clock.advance(-60_000);
    assert.equal(granted(buckets, 1), 0);
    clock.advance(200);
    assert.equal(granted(buckets, 2), 1);
  });

  it('forget the ones that have filled up, and no others', () => {
    const buckets = createTokenBuckets(clock);
    for (let n = 0; n < 100_000; n += 1) {
      buckets.take(`caller ${n}`, rate);
      clock.advance(1);
      // 200 ms after its single take a bucket is full again, so about 200 of them matter at any time.
      assert.ok(buckets.size <= 1_001, `${buckets.size} buckets`);
    }
    granted(buckets, 10, 'busy');
    for (let n = 0; n < 5_000; n += 1) buckets.take(`other ${n}`, rate);
    assert.equal(granted(buckets, 1, 'busy'), 0);
  });
});
