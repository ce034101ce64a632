import assert from 'node:assert/strict';
import { splitAuthor } from '../../../generator/text/split-author.ts';

describe('splitAuthor', () => {
  it('separates the name from the address', () => {
    assert.deepEqual(splitAuthor('Ada Lovelace <ada@example.com>'), {
      name: 'Ada Lovelace',
      email: 'ada@example.com',
    });
    assert.deepEqual(splitAuthor('Acme, Inc.'), { name: 'Acme, Inc.', email: '' });
  });
});
