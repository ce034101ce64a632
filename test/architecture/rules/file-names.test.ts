import assert from 'node:assert/strict';

import { parseTree } from '../source-tree.ts';
import { fileNames } from './file-names.ts';

function judge(file: string): string[] {
  return fileNames(parseTree({ [file]: '' }));
}

describe('the file name rule', () => {
  for (const file of [
    'service/store/ClientVersions.ts',
    'service/store/client_versions.ts',
    'service/API/keys.ts',
    'service/store/client.store.ts',
    'service/utils.ts',
    'service/store/string-helpers.ts',
    'service/common/clock.ts',
    'service/messages/types.ts',
    'generator/shared.ts',
    'test/support/misc.test.ts',
  ]) {
    it(`refuses ${file}`, () => {
      assert.equal(judge(file).length, 1);
    });
  }

  for (const file of [
    'service/store/client-versions.ts',
    'service/store/migrations/0001-tenants-and-keys.ts',
    'specs/messages/describe-types.ts',
    'test/service/store/clients.test.ts',
  ]) {
    it(`accepts ${file}`, () => {
      assert.deepEqual(judge(file), []);
    });
  }
});
