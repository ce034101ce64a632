import assert from 'node:assert/strict';
import { format } from 'prettier';
import { bracketed } from '../../../generator/layout/bracketed.ts';
import { prettierStyle, printLayout } from '../../../generator/layout/print-layout.ts';

const few = ['first', 'second'];
const many = Array.from({ length: 12 }, (_, i) => `parameter${i}`);

describe('a bracketed list', () => {
  it('stays on one line when it fits', () => {
    assert.equal(printLayout(bracketed('f(', few, ')'), prettierStyle), 'f(first, second)');
    assert.equal(printLayout(bracketed('{', few, '}', { spaced: true }), prettierStyle), '{ first, second }');
    assert.equal(printLayout(bracketed('f(', [], ')'), prettierStyle), 'f()');
  });

  it('breaks like prettier', async () => {
    for (const items of [few, many]) {
      const call = `${printLayout(bracketed('call(', items, ')'), prettierStyle)};\n`;
      assert.equal(await format(call, { parser: 'typescript' }), call);
      const object = `x = ${printLayout(bracketed('{', items, '}', { spaced: true }), prettierStyle)};\n`;
      assert.equal(await format(object, { parser: 'typescript' }), object);
    }
  });

  it('follows the width and indentation of its style', () => {
    const style = { width: 88, indent: 4 };
    const printed = printLayout(bracketed('def f(', many, ')'), style);
    assert.equal(printed, `def f(\n${many.map((name) => `    ${name},\n`).join('')})`);
    const fits = 'x'.repeat(88 - 'f()'.length);
    assert.equal(printLayout(bracketed('f(', [fits], ')'), style), `f(${fits})`);
    assert.equal(printLayout(bracketed('f(', [`${fits}x`], ')'), style), `f(\n    ${fits}x,\n)`);
  });

  it('can omit the trailing separator', () => {
    const printed = printLayout(bracketed('f(', many, ')', { trailing: false }), prettierStyle);
    assert.ok(printed.endsWith('parameter11\n)'));
  });
});
