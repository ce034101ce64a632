import assert from 'node:assert/strict';
import { similarNames } from '../../../service/errors/similar-names.ts';
import { threadMs } from '../../../service/work/thread-time.ts';
import { assertTurn } from '../../support/turn-watch.ts';

describe('suggestions for a misspelled name', () => {
  it('differ in few characters, most similar first', () => {
    const names = ['acme/text', 'acme/filings', 'acme/billing', 'acme/b', 'other/billing-of-all'];
    assert.deepEqual(similarNames('acme/biling', names), ['acme/billing', 'acme/filings']);
    assert.deepEqual(similarNames('acne/text', names), ['acme/text']);
    assert.deepEqual(similarNames('other/hidden', names), []);
  });

  it('are limited to three', () => {
    assert.deepEqual(similarNames('aa/aaaa', ['aa/aab', 'aa/aac', 'aa/aad', 'aa/aaa']), [
      'aa/aaa',
      'aa/aab',
      'aa/aac',
    ]);
  });

  it('are found in limited time among many long names', () => {
    const name = 'a'.repeat(500);
    const names = [`${name}b`, ...Array.from({ length: 2_000 }, () => 'b'.repeat(500)), `${name}c`];
    const startedAt = threadMs();
    assert.deepEqual(similarNames(name, names), [`${name}b`]);
    // It took 320.
    assertTurn(threadMs() - startedAt, 100);
  });
});
