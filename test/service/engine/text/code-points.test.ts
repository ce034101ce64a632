import assert from 'node:assert/strict';
import fc from 'fast-check';
import { WorkMeter } from '../../../../service/engine/work/work-meter.ts';
import { codePointLength, unitIndex } from '../../../../service/engine/text/code-points.ts';

/** Includes unpaired surrogates. */
const meter = new WorkMeter(Infinity);
const anyText = fc.string({ unit: fc.constantFrom('a', 'é', '😀', '\ud83d', '\ude00') });

describe('counting code points', () => {
  it('agrees with the length of the iterated text', () => {
    fc.assert(
      fc.property(anyText, (text) => assert.equal(codePointLength(text, meter), Array.from(text).length)),
    );
  });

  it('returns the same index as iterating the text', () => {
    fc.assert(
      fc.property(anyText, fc.nat(12), (text, index) => {
        assert.equal(text.slice(0, unitIndex(text, index, meter)), Array.from(text).slice(0, index).join(''));
      }),
    );
  });
});
