import assert from 'node:assert/strict';
import { createBoundedCache } from '../../../service/engine/bounded-cache.ts';

describe('a bounded cache', () => {
  it('makes a value once while it is remembered', () => {
    const cache = createBoundedCache<string, object>(2);
    const made = cache.get('a', () => ({}));
    assert.equal(
      cache.get('a', () => assert.fail('made twice')),
      made,
    );
  });

  it('forgets what was asked for longest ago', () => {
    const cache = createBoundedCache<string, number>(2);
    const makings: string[] = [];
    for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) cache.get(key, () => makings.push(key));
    assert.deepEqual(makings, ['a', 'b', 'c', 'b']);
  });

  it('remembers undefined, and does not remember what threw', () => {
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
