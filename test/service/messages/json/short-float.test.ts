import assert from 'node:assert/strict';
import fc from 'fast-check';
import { shortFloat } from '../../../../service/messages/json/short-float.ts';

describe('the short text of a 32-bit float', () => {
  // As printed by Go, Java and Python.
  const written: [number: number, text: string][] = [
    [0.1, '0.1'],
    [-0.3, '-0.3'],
    [1 / 3, '0.33333334'],
    [Math.PI, '3.1415927'],
    [16777216, '16777216'],
    [-16777215, '-16777215'],
    [1e10, '10000000000'],
    [1.17549435e-38, '1.1754944e-38'],
    [3.4028234663852886e38, '3.4028235e+38'],
    [1.401298464324817e-45, '1e-45'],
    [2.802596928649634e-45, '3e-45'],
    [1.1754942106924411e-38, '1.1754942e-38'],
    [0, '0'],
    [1.5, '1.5'],
  ];
  for (const [number, text] of written)
    it(`for ${number} is ${text}`, () => assert.equal(String(shortFloat(number)), text));

  it('keeps negative zero, NaN and infinities', () => {
    for (const number of [-0, NaN, Infinity, -Infinity]) assert.ok(Object.is(shortFloat(number), number));
  });

  it('parses as the same float and has no redundant digit', () => {
    fc.assert(
      fc.property(fc.float({ noDefaultInfinity: true, noNaN: true }), (float) => {
        const short = shortFloat(float);
        assert.ok(Object.is(Math.fround(short), float));
        const digits = significantDigits(short);
        assert.ok(digits <= 9);
        if (digits > 1) assert.notEqual(Math.fround(Number(short.toPrecision(digits - 1))), float);
      }),
      { numRuns: 5000 },
    );
  });
});

/** The number of significant decimal digits, without trailing zeros. */
function significantDigits(number: number): number {
  return number
    .toExponential()
    .replace(/e.*|[-.]/g, '')
    .replace(/^0+|0+$/g, '').length;
}
