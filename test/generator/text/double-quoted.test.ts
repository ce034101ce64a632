import assert from 'node:assert/strict';
import { doubleQuoted, unicodeEscape } from '../../../generator/text/double-quoted.ts';

describe('a double-quoted literal', () => {
  it('keeps plain text', () => {
    assert.equal(doubleQuoted("it's 5 < 6", unicodeEscape), `"it's 5 < 6"`);
  });

  it('keeps visible non-ASCII characters', () => {
    assert.equal(doubleQuoted('größe 🚀', unicodeEscape), '"größe 🚀"');
  });

  it('escapes quotes, backslashes, line breaks and invisible characters', () => {
    assert.equal(
      doubleQuoted('"\\\n\t\u202e\u{e0001}', unicodeEscape),
      String.raw`"\"\\\n\t\u202e\U000e0001"`,
    );
  });
});
