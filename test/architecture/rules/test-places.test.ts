import assert from 'node:assert/strict';

import { parseTree } from '../source-tree.ts';
import { testPlaces } from './test-places.ts';

function judge(testFile: string): string[] {
  return testPlaces(parseTree({ 'service/store/clients.ts': '', [testFile]: '' }));
}

describe('the test location rule', () => {
  it('accepts a test of a file, of its folder, or of one aspect in a folder named for the file', () => {
    assert.deepEqual(judge('test/service/store/clients.test.ts'), []);
    assert.deepEqual(judge('test/service/store/cascades.test.ts'), []);
    assert.deepEqual(judge('test/service/store/clients/renames.test.ts'), []);
    assert.deepEqual(judge('test/api/clients.test.ts'), []);
  });

  it('finds a test without a source', () => {
    assert.equal(judge('test/service/storage/clients.test.ts').length, 1);
    assert.equal(judge('test/generator/clients.test.ts').length, 1);
  });
});
