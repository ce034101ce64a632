import assert from 'node:assert/strict';
import { foldLines, foldParagraphs } from '../../../generator/text/fold-lines.ts';

describe('folding lines', () => {
  it('joins text into one line', () => {
    assert.equal(foldLines('  a\n  b\r\n\n\tc\u2028d  '), 'a b c d');
    assert.equal(foldLines(' \n '), '');
  });

  it('preserves paragraphs', () => {
    assert.deepEqual(foldParagraphs('a\nb\n\n \nc\r\n\r\nd'), ['a b', 'c', 'd']);
    assert.deepEqual(foldParagraphs('\n \n'), []);
  });
});
