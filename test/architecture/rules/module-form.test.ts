import assert from 'node:assert/strict';

import { parseTree } from '../source-tree.ts';
import { moduleForm } from './module-form.ts';

function judge(file: string, text: string): string[] {
  return moduleForm(parseTree({ [file]: text }));
}

describe('the module form rule', () => {
  for (const text of [
    `export * from './b.ts'; const own = 1;`,
    `export * as b from './b.ts'; const own = 1;`,
  ]) {
    it(`finds ${text}`, () => {
      assert.deepEqual(judge('specs/a.ts', text), ['specs/a.ts: export *']);
    });
  }

  for (const text of [
    `export default 1;`,
    `export default function run() {}`,
    `const a = 1; export { a as default };`,
    `export default class A {}`,
  ]) {
    it(`finds the default export in ${text}`, () => {
      assert.deepEqual(judge('specs/a.ts', text), ['specs/a.ts: default export']);
    });
  }

  it('accepts the handlers of a node package as a default export', () => {
    assert.deepEqual(
      judge('fixtures/packages/text/handlers.ts', `export default { Tokenize: () => ({}) };`),
      [],
    );
  });

  it('finds a barrel by its content and by its name', () => {
    assert.match(
      judge('specs/all.ts', `export { a } from './a.ts'; export { b } from './b.ts';`).join(),
      /a barrel/,
    );
    assert.match(judge('specs/index.ts', `export const a = 1;`).join(), /a barrel/);
  });

  it('accepts an ordinary module', () => {
    assert.deepEqual(
      judge('specs/a.ts', `import { b } from './b.ts'; export const a = b; export type { B } from './b.ts';`),
      [],
    );
  });
});
