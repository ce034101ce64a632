import assert from 'node:assert/strict';
import fc from 'fast-check';
import { indexOf, occurrences } from '../../../../service/engine/text/search.ts';
import { WorkMeter } from '../../../../service/engine/work/work-meter.ts';
import { threadMs } from '../../../../service/work/thread-time.ts';

const meter = new WorkMeter(Infinity);

/** Texts of two letters with many partial matches, long enough to avoid the native search. */
const periodic = fc
  .tuple(
    fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 6 }),
    fc.integer({ min: 1, max: 1_000 }),
  )
  .map(([unit, times]) => unit.repeat(times));

describe('searching', () => {
  it('agrees with the native search', () => {
    fc.assert(
      fc.property(periodic, periodic, fc.nat(50), (text, wanted, from) => {
        assert.equal(indexOf(text, wanted, from, meter), text.indexOf(wanted, from));
      }),
      { numRuns: 300 },
    );
  });

  it('finds every non-overlapping occurrence, as splitting does', () => {
    fc.assert(
      fc.property(periodic, periodic, (text, wanted) => {
        const parts = text.split(wanted);
        let at = 0;
        const expected = parts.slice(0, -1).map((part) => {
          const place = at + part.length;
          at = place + wanted.length;
          return place;
        });
        assert.deepEqual([...occurrences(text, wanted, meter)], expected);
      }),
      { numRuns: 300 },
    );
  });

  it('takes linear time for texts that are the worst case of the native search', () => {
    const text = 'a'.repeat(1_000_000);
    const startedAt = threadMs();
    assert.equal(indexOf(text, `b${'a'.repeat(400_000)}`, 0, meter), -1);
    assert.equal(indexOf(text, `${'a'.repeat(400_000)}b`, 0, meter), -1);
    assert.ok(threadMs() - startedAt < 2_000);
  });
});
