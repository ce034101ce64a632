import assert from 'node:assert/strict';

import { parseTree } from '../source-tree.ts';
import { testPlaces } from './test-places.ts';

function judge(testFile: string): string[] {
  return testPlaces(parseTree({ 'service/store/clients.ts': '', [testFile]: '' }));
}

describe('the rule of test places', () => {
  it('takes a test beside its source, in its folder, or in a folder named for it', () => {
    assert.deepEqual(judge('test/service/store/clients.test.ts'), []);
    assert.deepEqual(judge('test/service/store/cascades.test.ts'), []);
    assert.deepEqual(judge('test/service/store/clients/renames.test.ts'), []);
    assert.deepEqual(judge('test/api/clients.test.ts'), []);
  });

  it('finds a test of nothing', () => {
    assert.equal(judge('test/service/storage/clients.test.ts').length, 1);
    assert.equal(judge('test/generator/clients.test.ts').length, 1);
  });
});
