import assert from 'node:assert/strict';

import { parseTree } from '../source-tree.ts';
import { docstrings } from './docstrings.ts';

function judge(file: string, text: string): string[] {
  return docstrings(parseTree({ [file]: text }));
}

describe('the docstring rule', () => {
  for (const text of [
    'export function a() {}',
    'export async function a() {}',
    'export class a {}',
    'export interface a {}',
    'export type a = string;',
    '// Not a docstring.\nexport function a() {}',
  ]) {
    it(`finds ${JSON.stringify(text)}`, () => {
      assert.deepEqual(judge('service/a.ts', text), ['service/a.ts: a has no docstring']);
    });
  }

  for (const text of ['/** Does it. */\nexport function a() {}', 'function a() {}', 'export const a = 1;']) {
    it(`accepts ${JSON.stringify(text)}`, () => {
      assert.deepEqual(judge('service/a.ts', text), []);
    });
  }

  it('accepts tests and their support', () => {
    assert.deepEqual(judge('test/support/a.ts', 'export function a() {}'), []);
  });
});
