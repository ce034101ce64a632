import assert from 'node:assert/strict';
import { similarNames } from '../../../service/errors/similar-names.ts';

describe('names that are similar to a misspelt one', () => {
  it('differ in few characters, and the most similar come first', () => {
    const names = ['acme/text', 'acme/filings', 'acme/billing', 'acme/b', 'other/billing-of-all'];
    assert.deepEqual(similarNames('acme/biling', names), ['acme/billing', 'acme/filings']);
    assert.deepEqual(similarNames('acne/text', names), ['acme/text']);
    assert.deepEqual(similarNames('other/hidden', names), []);
  });

  it('are at most three', () => {
    assert.deepEqual(similarNames('aa/aaaa', ['aa/aab', 'aa/aac', 'aa/aad', 'aa/aaa']), [
      'aa/aaa',
      'aa/aab',
      'aa/aac',
    ]);
  });
});
