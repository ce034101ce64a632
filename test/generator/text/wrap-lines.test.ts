import assert from 'node:assert/strict';
import fc from 'fast-check';
import { wrapLines } from '../../../generator/text/wrap-lines.ts';

describe('wrapping', () => {
  it('breaks lines at spaces', () => {
    assert.deepEqual(wrapLines('one two three four', 9), ['one two', 'three', 'four']);
  });

  it('keeps short lines as they are, blank ones and indentation too', () => {
    assert.deepEqual(wrapLines('a  b\n\n  c', 9), ['a  b', '', '  c']);
  });

  it('keeps the indentation of a broken line', () => {
    assert.deepEqual(wrapLines('  one two three', 9), ['  one two', '  three']);
  });

  it('lets a word be as long as it is', () => {
    assert.deepEqual(wrapLines('a incomprehensible b', 9), ['a', 'incomprehensible', 'b']);
  });

  it('loses no word and makes no line longer than it must be', () => {
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
