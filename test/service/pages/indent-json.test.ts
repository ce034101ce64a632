import assert from 'node:assert/strict';
import fc from 'fast-check';
import { indentJson } from '../../../service/pages/indent-json.ts';

describe('indented JSON', () => {
  it('matches JSON.stringify', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        assert.equal(indentJson(JSON.stringify(value)), JSON.stringify(value, undefined, 2));
      }),
    );
  });

  it('returns long JSON unchanged', () => {
    const json = JSON.stringify(Array.from({ length: 5_000 }, (_, n) => n));
    assert.equal(indentJson(json), json);
  });

  it('keeps numbers as written', () => {
    assert.equal(
      indentJson('{ "total" : 12345678901234567890.10 }'),
      '{\n  "total": 12345678901234567890.10\n}',
    );
  });
});
