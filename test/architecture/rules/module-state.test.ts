import assert from 'node:assert/strict';

import { parseTree } from '../source-tree.ts';
import { moduleState } from './module-state.ts';

function judge(file: string, text: string): string[] {
  return moduleState(parseTree({ [file]: text }));
}

describe('the module state rule', () => {
  for (const text of [
    'let last = 0;',
    'var last;',
    'const known = new Map<string, string>();',
    'export const known = new Set();',
    'const known = new WeakMap();',
    'function run() { return new WeakSet(); }',
  ]) {
    it(`finds ${text}`, () => {
      assert.equal(judge('generator/a.ts', text).length, 1);
      assert.equal(judge('specs/a.ts', text).length, 1);
    });
  }

  it('accepts tables, constants and local collections', () => {
    const text = `const names = new Set(['a']); const one = 1;
      export function run() { let count = 0; const seen = new Map(); seen.set(count, count); return seen; }`;
    assert.deepEqual(judge('generator/a.ts', text), []);
  });

  it('ignores the service', () => {
    assert.deepEqual(judge('service/a.ts', 'const known = new WeakMap();'), []);
  });
});
