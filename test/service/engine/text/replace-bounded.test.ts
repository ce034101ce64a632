import assert from 'node:assert/strict';
import fc from 'fast-check';
import { replaceBounded } from '../../../../service/engine/text/replace-bounded.ts';

const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'c') });

describe('replacing', () => {
  it('returns the result of the native functions', () => {
    fc.assert(
      fc.property(letters, letters.filter(Boolean), letters, (text, from, to) => {
        assert.equal(
          replaceBounded(text, { from, to }, 1_000),
          text.replaceAll(from, () => to),
        );
      }),
    );
  });

  it('stops after the requested number of replacements', () => {
    assert.equal(replaceBounded('aaaa', { from: 'a', to: 'b', count: 2 }, 10), 'bbaa');
    assert.equal(replaceBounded('aaaa', { from: 'a', to: 'b', count: 0 }, 10), 'aaaa');
  });

  it('returns undefined exactly if the result would be too long', () => {
    fc.assert(
      fc.property(letters, letters.filter(Boolean), letters, fc.nat(20), (text, from, to, limit) => {
        const whole = text.replaceAll(from, () => to);
        const kept = replaceBounded(text, { from, to }, limit);
        assert.equal(kept, whole.length > limit ? undefined : whole);
      }),
    );
  });
});
