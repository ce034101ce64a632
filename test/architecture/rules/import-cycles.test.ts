import assert from 'node:assert/strict';

import { parseTree } from '../source-tree.ts';
import { importCycles } from './import-cycles.ts';

describe('the import cycle rule', () => {
  it('accepts a diamond', () => {
    const tree = parseTree({
      'specs/a.ts': `import './b.ts'; import './c.ts';`,
      'specs/b.ts': `import './d.ts';`,
      'specs/c.ts': `import './d.ts';`,
      'specs/d.ts': '',
    });
    assert.deepEqual(importCycles(tree), []);
  });

  it('finds a cycle over several files, even with type-only imports', () => {
    const tree = parseTree({
      'specs/a.ts': `import { b } from './b.ts';`,
      'specs/b.ts': `import type { C } from './deep/c.ts';`,
      'specs/deep/c.ts': `import { a } from '../a.ts';`,
    });
    assert.deepEqual(importCycles(tree), ['specs/a.ts -> specs/b.ts -> specs/deep/c.ts -> specs/a.ts']);
  });

  it('finds a file that imports itself', () => {
    assert.deepEqual(importCycles(parseTree({ 'specs/a.ts': `import './a.ts';` })), [
      'specs/a.ts -> specs/a.ts',
    ]);
  });
});
