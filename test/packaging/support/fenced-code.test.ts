import assert from 'node:assert/strict';
import { fencedCode } from './fenced-code.ts';

describe('fencedCode', () => {
  it('returns the blocks of one language', () => {
    const page = 'a\n```sh\nls\nls -l\n```\n```python\nimport os\n```\nb `ls`\n```sh\npwd\n```\n';
    assert.deepEqual(fencedCode(page, 'sh'), ['ls\nls -l\n', 'pwd\n']);
    assert.deepEqual(fencedCode(page, 'go'), []);
  });
});
