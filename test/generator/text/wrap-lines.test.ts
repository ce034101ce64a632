import assert from 'node:assert/strict';
import fc from 'fast-check';
import { wrapLines } from '../../../generator/text/wrap-lines.ts';

describe('wrapping lines', () => {
  it('breaks lines at spaces', () => {
    assert.deepEqual(wrapLines('one two three four', 9), ['one two', 'three', 'four']);
  });

  it('preserves short lines, blank lines and indentation', () => {
    assert.deepEqual(wrapLines('a  b\n\n  c', 9), ['a  b', '', '  c']);
  });

  it('repeats the indentation of a wrapped line', () => {
    assert.deepEqual(wrapLines('  one two three', 9), ['  one two', '  three']);
  });

  it('never splits a long word', () => {
    assert.deepEqual(wrapLines('a incomprehensible b', 9), ['a', 'incomprehensible', 'b']);
  });

  it('preserves every word, and exceeds the width only for a single word', () => {
    const texts = fc.array(fc.stringMatching(/^[a-z🚀]{1,12}$/u)).map((words) => words.join(' '));
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 30 }), (text, width) => {
        const lines = wrapLines(text, width);
        assert.equal(lines.join(' '), text);
        for (const line of lines) {
          assert.ok(Array.from(line).length <= width || !line.includes(' '), JSON.stringify(line));
        }
      }),
    );
  });
});
