import assert from 'node:assert/strict';
import { foldDescription } from '../../../../service/messages/drafts/fold-description.ts';

describe('folding descriptions', () => {
  for (const [what, text, folded] of [
    ['line separators of every kind', 'a\r\nb\nc\u2028d\u2029e\u0085f\vg', 'a b c d e f g'],
    ['tabs and runs of spaces', '  a\t\t b  ', 'a b'],
    ['control characters', 'a\u0000b\u001b[31mc', 'a b [31mc'],
    ['block comment delimiters, which are harmless in a line comment', 'a */ b /* c', 'a */ b /* c'],
    ['an unpaired surrogate', 'a\ud800b', 'a\ufffdb'],
    ['whitespace', ' \n ', ''],
  ] as const) {
    it(`folds ${what} into one well-formed line`, () => assert.equal(foldDescription(text), folded));
  }

  it('truncates after 512 characters, but not within a character', () => {
    assert.equal(foldDescription('😀'.repeat(512)), '😀'.repeat(512));
    assert.equal(foldDescription(`${'😀'.repeat(512)}x`), '😀'.repeat(512));
  });
});
