import assert from 'node:assert/strict';

import { commentsOf } from './prose.ts';
import { parseTree } from './source-tree.ts';

function comments(text: string): [number, string][] {
  const file = parseTree({ 'service/a.ts': text }).get('service/a.ts');
  assert.ok(file);
  return commentsOf(file).map(({ line, text: comment }) => [line, comment]);
}

describe('comments of a module', () => {
  it('are found before, after and between statements, with their lines', () => {
    const text =
      '/** One. */\nexport const a = 1; // Two.\n\nfunction f() {\n  // Three.\n  return a;\n}\n// Four.\n';
    assert.deepEqual(comments(text), [
      [1, '/** One. */'],
      [2, '// Two.'],
      [5, '// Three.'],
      [8, '// Four.'],
    ]);
  });

  it('exclude the contents of strings and templates', () => {
    assert.deepEqual(comments("const a = '// no'; const b = `/* no */ ${a}`;"), []);
  });
});
