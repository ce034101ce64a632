import assert from 'node:assert/strict';
import { parseExactJson } from '../../specs/exact-json.ts';
import { LargeNumber } from '../../specs/large-number.ts';

describe('a number beyond 2^53', () => {
  it('round-trips its text exactly', () => {
    const text =
      '{"a":[9007199254740993,-9007199254740993.5,1e400],"b":{"c":123456789012345678901234567890}}';
    const parsed = parseExactJson(text) as { a: unknown[] };
    assert.deepEqual(parsed.a[0], new LargeNumber('9007199254740993'));
    assert.equal(JSON.stringify(parsed), text);
    assert.equal(JSON.stringify(parseExactJson('9007199254740993')), '9007199254740993');
  });

  it('is parsed as a double if that prints the same text, like smaller numbers', () => {
    assert.deepEqual(
      parseExactJson('[9007199254740992, 1.5e+300, 1.0, 0.1234567890123456789]'),
      [9007199254740992, 1.5e300, 1, 0.12345678901234568],
    );
  });

  for (const [source, canonical] of [
    ['9007199254740992.00', 9007199254740992],
    ['9.007199254740992e15', 9007199254740992],
    ['-0.9007199254740992E+16', -9007199254740992],
    ['1e21', 1e21],
    ['15e299', 1.5e300],
    ['9007199254740993', undefined],
    ['9007199254740992.5', undefined],
    ['1e400', undefined],
  ] as const) {
    it(`${canonical === undefined ? 'has no canonical form as a double' : 'has one canonical form'}: ${source}`, () => {
      const number = new LargeNumber(source);
      assert.deepEqual(number.canonical(), canonical ?? number);
    });
  }
});
