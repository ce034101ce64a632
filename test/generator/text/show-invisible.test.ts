import assert from 'node:assert/strict';
import fc from 'fast-check';
import { showInvisible } from '../../../generator/text/show-invisible.ts';

describe('showInvisible', () => {
  const cases: [text: string, shown: string][] = [
    ['plain\ttext\nof two lines', 'plain\ttext\nof two lines'],
    ['a\r\nb\rc', 'a\nb\nc'],
    ['right \u202e left', 'right [U+202E] left'],
    ['a\u2028b\u2029c\u0085d', 'a[U+2028]b[U+2029]c[U+0085]d'],
    ['a\0b\u001b[31m\u007f', 'a[U+0000]b[U+001B][31m[U+007F]'],
    ['\ufeffa\u200bb\u00ad', '[U+FEFF]a[U+200B]b[U+00AD]'],
    ['tag \u{e0041}', 'tag [U+E0041]'],
    ['half \ud800 and \udc00', 'half [U+D800] and [U+DC00]'],
    ['\uffff\u{1fffe}', '[U+FFFF][U+1FFFE]'],
    ['👩‍👩‍👧‍👦 日本 العربية Größe', '👩‍👩‍👧‍👦 日本 العربية Größe'],
  ];
  for (const [text, shown] of cases) {
    it(`turns ${JSON.stringify(text)} into ${JSON.stringify(shown)}`, () => {
      assert.equal(showInvisible(text), shown);
    });
  }

  it('is idempotent, and returns well-formed text with \\n as its only line break', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const shown = showInvisible(text);
        assert.equal(Buffer.from(shown, 'utf8').toString('utf8'), shown);
        assert.doesNotMatch(shown, /[\r\v\f\u0085\u2028\u2029]/);
        assert.equal(showInvisible(shown), shown);
      }),
    );
  });
});
