import assert from 'node:assert/strict';
import { objectKey } from '../../../service/objects/object-key.ts';

describe('an object key', () => {
  it('joins its segments', () => {
    assert.equal(
      objectKey('T1', 'C1', '3', 'typescript-browser-ab12.zip'),
      'T1/C1/3/typescript-browser-ab12.zip',
    );
  });

  it('rejects segments that leave the folder', () => {
    for (const segment of ['..', '.', '', 'a/b', 'a\\b', '/etc', '.hidden', 'a\n']) {
      assert.throws(() => objectKey('T1', segment), /invalid segment of an object key/, segment);
    }
  });
});
