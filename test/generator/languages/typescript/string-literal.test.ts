import assert from 'node:assert/strict';
import fc from 'fast-check';
import { format } from 'prettier';
import ts from 'typescript';
import { stringLiteral } from '../../../../generator/languages/typescript/string-literal.ts';

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom('"', "'", '\\', '`', '$', '{', '\n', '\u2028', '\u202e', '\ud800', '\0', '0', 'a'),
  }),
);

describe('a string literal', () => {
  it('evaluates to the original text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const [statement] = ts.createSourceFile(
          'a.ts',
          `(${stringLiteral(text)});`,
          ts.ScriptTarget.Latest,
        ).statements;
        assert.ok(statement && ts.isExpressionStatement(statement));
        assert.ok(ts.isParenthesizedExpression(statement.expression));
        const literal = statement.expression.expression;
        assert.ok(ts.isStringLiteral(literal));
        assert.equal(literal.text, text);
      }),
    );
  });

  it('is formatted like prettier', async () => {
    await fc.assert(
      fc.asyncProperty(anyText, async (text) => {
        const line = `a(${stringLiteral(text)});\n`;
        assert.equal(await format(line, { parser: 'typescript', printWidth: 10_000 }), line);
      }),
    );
  });

  it('escapes invisible characters', () => {
    assert.equal(stringLiteral('a\u202eb\u2028\u0007\tc'), String.raw`"a\u202eb\u2028\u0007\tc"`);
  });
});
