import assert from 'node:assert/strict';
import fc from 'fast-check';
import { WorkMeter } from '../../../../service/engine/work/work-meter.ts';
import { replaceBounded } from '../../../../service/engine/text/replace-bounded.ts';

const meter = new WorkMeter(Infinity);
const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'c') });

describe('replacing', () => {
  it('agrees with the native functions', () => {
    fc.assert(
      fc.property(letters, letters.filter(Boolean), letters, (text, from, to) => {
        assert.equal(
          replaceBounded(text, { from, to, limit: 1_000 }, meter),
          text.replaceAll(from, () => to),
        );
      }),
    );
  });

  it('stops after the requested number of replacements', () => {
    assert.equal(replaceBounded('aaaa', { from: 'a', to: 'b', count: 2, limit: 10 }, meter), 'bbaa');
    assert.equal(replaceBounded('aaaa', { from: 'a', to: 'b', count: 0, limit: 10 }, meter), 'aaaa');
  });

  it('returns undefined only if the result would exceed the limit', () => {
    fc.assert(
      fc.property(letters, letters.filter(Boolean), letters, fc.nat(20), (text, from, to, limit) => {
        const whole = text.replaceAll(from, () => to);
        const kept = replaceBounded(text, { from, to, limit }, meter);
        assert.equal(kept, whole.length > limit ? undefined : whole);
      }),
    );
  });
});
