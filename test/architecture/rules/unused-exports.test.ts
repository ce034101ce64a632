import assert from 'node:assert/strict';

import { parseTree } from '../source-tree.ts';
import { unusedExports } from './unused-exports.ts';

describe('the unused export rule', () => {
  it('finds unimported exports of every form', () => {
    const text = `export const a = 1, { b, c: [d] } = e;
      export function f() { return f; }
      export class G {}
      export interface H {}
      export type I = H;
      const j = 1; export { j as k };`;
    const names = ['a', 'b', 'd', 'f', 'G', 'H', 'I', 'k'];
    assert.deepEqual(
      unusedExports(parseTree({ 'specs/x.ts': text })),
      names.map((name) => `specs/x.ts exports ${name}, which no other file imports`),
    );
  });

  it('accepts exports that another file imports by name or as a namespace', () => {
    const text = 'export const a = 1; export type B = number;';
    for (const use of [
      `import { a, type B as C } from './x.ts';`,
      `import * as x from './x.ts';`,
      `const x = await import('./x.ts');`,
      `let b: import('./x.ts').B;`,
    ])
      assert.deepEqual(unusedExports(parseTree({ 'specs/x.ts': text, 'specs/y.ts': use })), [], use);
  });

  it('finds product exports that only tests use', () => {
    const tree = {
      'specs/x.ts':
        'export function a() { return b(); } export function b() {} export interface C {} export interface D {}',
      'specs/y.ts': `import type { D } from './x.ts';`,
      'test/x.test.ts': `import { a, b, type C, type D } from '../specs/x.ts';`,
      'specs/w.ts': 'export const f = 1;',
      'test/w.test.ts': `import * as w from '../specs/w.ts';`,
      'test/support/z.ts': 'export const e = 1;',
      'test/z.test.ts': `import { e } from './support/z.ts';`,
    };
    assert.deepEqual(unusedExports(parseTree(tree)), [
      'specs/x.ts exports a, which only tests use',
      'specs/x.ts exports C, which only tests use',
      'specs/w.ts exports f, which only tests use',
    ]);
  });

  it('accepts exports that are loaded by a computed path', () => {
    const text = 'export const language = 1; export const other = 2;';
    assert.deepEqual(unusedExports(parseTree({ 'generator/languages/go/language.ts': text })), [
      'generator/languages/go/language.ts exports other, which no other file imports',
    ]);
  });
});
