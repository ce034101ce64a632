import assert from 'node:assert/strict';
import type { RateLimiter } from '../../../service/access/rate-limiter.ts';
import { createTokenBuckets } from '../../../service/access/token-buckets.ts';
import { type ManualClock, manualClock } from '../../support/manual-clock.ts';

describe('token buckets', () => {
  const rate = { rps: 5, burst: 10 };
  let clock: ManualClock;
  beforeEach(() => {
    clock = manualClock();
  });

  /** Counts the granted takes. */
  async function granted(limiter: RateLimiter, attempts: number, name = 'a'): Promise<number> {
    const taken = await Promise.all(
      Array.from({ length: attempts }, () => limiter.take([{ name, ...rate }])),
    );
    return taken.filter((one) => one.granted).length;
  }

  it('grant exactly the burst immediately', async () => {
    assert.equal(await granted(createTokenBuckets(clock), 15), 10);
  });

  it('refill at the rate, to the millisecond', async () => {
    const buckets = createTokenBuckets(clock);
    await granted(buckets, 10);
    clock.advance(199);
    assert.equal(await granted(buckets, 1), 0);
    clock.advance(1);
    assert.equal(await granted(buckets, 2), 1);
    clock.advance(1_000);
    assert.equal(await granted(buckets, 10), 5);
  });

  it('report the time until the next token, to the millisecond', async () => {
    const buckets = createTokenBuckets(clock);
    const take = () => buckets.take([{ name: 'a', ...rate }]);
    await granted(buckets, 10);
    assert.deepEqual(await take(), { granted: false, empty: { name: 'a', ...rate }, waitMs: 200 });
    clock.advance(150);
    const early = await take();
    assert.ok(!early.granted && Math.abs(early.waitMs - 50) < 0.001);
    clock.advance(51);
    assert.deepEqual(await take(), { granted: true });
  });

  it('are drained in order, up to the first empty one', async () => {
    const buckets = createTokenBuckets(clock);
    const [wide, narrow, last] = [
      { name: 'wide', rps: 1, burst: 3 },
      { name: 'narrow', rps: 2, burst: 1 },
      { name: 'last', rps: 1, burst: 1 },
    ] as const;
    assert.deepEqual(await buckets.take([wide, narrow]), { granted: true });
    assert.deepEqual(await buckets.take([wide, narrow, last]), {
      granted: false,
      empty: narrow,
      waitMs: 500,
    });
    assert.deepEqual(await buckets.take([wide, last]), { granted: true });
    assert.deepEqual(await buckets.take([wide]), { granted: false, empty: wide, waitMs: 1_000 });
  });

  it('hold at most the burst', async () => {
    const buckets = createTokenBuckets(clock);
    await granted(buckets, 10);
    clock.advance(3_600_000);
    assert.equal(await granted(buckets, 20), 10);
  });

  it('lose no token to a rejected take', async () => {
    const buckets = createTokenBuckets(clock);
    await granted(buckets, 1_000);
    clock.advance(200);
    assert.equal(await granted(buckets, 1), 1);
  });

  it('are separate per name', async () => {
    const buckets = createTokenBuckets(clock);
    await granted(buckets, 10, 'a');
    assert.equal(await granted(buckets, 10, 'b'), 10);
  });

  it('apply a changed rate from the next take', async () => {
    const buckets = createTokenBuckets(clock);
    await granted(buckets, 10);
    clock.advance(100);
    assert.equal((await buckets.take([{ name: 'a', rps: 10, burst: 10 }])).granted, true);
    clock.advance(3_600_000);
    assert.equal((await buckets.take([{ name: 'a', rps: 10, burst: 1 }])).granted, true);
    assert.equal((await buckets.take([{ name: 'a', rps: 10, burst: 1 }])).granted, false);
  });

  it('neither add nor remove tokens when the clock is set back', async () => {
    const buckets = createTokenBuckets(clock);
    await granted(buckets, 10);
    clock.advance(-60_000);
    assert.equal(await granted(buckets, 1), 0);
    clock.advance(200);
    assert.equal(await granted(buckets, 2), 1);
  });

  it('are discarded once full, and only then', async () => {
    const buckets = createTokenBuckets(clock);
    for (let n = 0; n < 100_000; n += 1) {
      await buckets.take([{ name: `caller ${n}`, ...rate }]);
      clock.advance(1);
      // A bucket is full again 200 ms after its only take, so about 200 are in use at any time.
      assert.ok(buckets.size <= 1_001, `${buckets.size} buckets`);
    }
    await granted(buckets, 10, 'busy');
    for (let n = 0; n < 5_000; n += 1) await buckets.take([{ name: `other ${n}`, ...rate }]);
    assert.equal(await granted(buckets, 1, 'busy'), 0);
  });
});
