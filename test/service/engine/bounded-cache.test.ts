import assert from 'node:assert/strict';
import { createBoundedCache } from '../../../service/engine/bounded-cache.ts';

describe('a bounded cache', () => {
  it('calls make once per cached value', () => {
    const cache = createBoundedCache<string, object>(2);
    const made = cache.get('a', () => ({}));
    assert.equal(
      cache.get('a', () => assert.fail('made twice')),
      made,
    );
  });

  it('drops the least recently used value', () => {
    const cache = createBoundedCache<string, number>(2);
    const makings: string[] = [];
    for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) cache.get(key, () => makings.push(key));
    assert.deepEqual(makings, ['a', 'b', 'c', 'b']);
  });

  it('caches undefined, and nothing if make throws', () => {
    const cache = createBoundedCache<string, string | undefined>(2);
    const failing = (): undefined => {
      throw new Error('no');
    };
    assert.throws(() => {
      cache.get('a', failing);
    });
    cache.get('a', () => undefined);
    assert.equal(
      cache.get('a', () => assert.fail('made twice')),
      undefined,
    );
  });
});
