import assert from 'node:assert/strict';
import fc from 'fast-check';
import ts from 'typescript';
import {
  commentLines,
  describedLines,
  docComment,
} from '../../../../generator/languages/typescript/doc-comment.ts';

const anyText = fc.string({
  unit: fc.constantFrom(
    '*',
    '/',
    '@',
    '\\',
    '\n',
    '\r',
    '\u2028',
    '\u0085',
    ' ',
    '\t',
    'a',
    '{',
    '@ts-ignore ',
    '@deprecated',
  ),
  maxLength: 60,
});

describe('a documentation comment', () => {
  it('is a single comment without tags for any text', () => {
    fc.assert(
      fc.property(anyText, fc.constantFrom(0, 2, 4), (text, indent) => {
        const comment = docComment(commentLines(text), indent);
        const source = ts.createSourceFile('a.ts', `${comment}const a = 1;\n`, ts.ScriptTarget.Latest, true);
        const [statement, ...rest] = source.statements;
        assert.equal(rest.length, 0);
        assert.equal(statement?.getText(), 'const a = 1;');
        assert.deepEqual(ts.getJSDocTags(statement), []);
        assert.equal((source as { commentDirectives?: unknown[] }).commentDirectives, undefined);
      }),
    );
  });

  it('is on one line if its text is on one line', () => {
    assert.equal(docComment(commentLines('The text.'), 2), '  /** The text. */\n');
  });

  it('preserves the lines of its text and wraps them at 72 columns', () => {
    assert.equal(docComment(commentLines('One.\n\n  Two */.\n')), '/**\n * One.\n *\n *   Two *\\/.\n */\n');
    assert.ok(commentLines('word '.repeat(40)).every((line) => line.length <= 72));
  });

  it('is empty for a blank text', () => {
    assert.equal(docComment(commentLines(' \n\n')), '');
  });

  it('ends with the deprecation tag', () => {
    assert.deepEqual(describedLines('Old.', true), ['Old.', '', '@deprecated']);
    assert.deepEqual(describedLines('', true), ['@deprecated']);
  });
});
