import assert from 'node:assert/strict';
import { BoundedCache } from '../../service/bounded-cache.ts';

describe('a bounded cache', () => {
  it('calls the factory once per cached value', () => {
    const cache = new BoundedCache<string, object>(2);
    const made = cache.getOrMake('a', () => ({}));
    assert.equal(
      cache.getOrMake('a', () => assert.fail('made twice')),
      made,
    );
  });

  it('drops the least recently used value', () => {
    const cache = new BoundedCache<string, number>(2);
    const makings: string[] = [];
    for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) cache.getOrMake(key, () => makings.push(key));
    assert.deepEqual(makings, ['a', 'b', 'c', 'b']);
  });

  it('counts get and set as use', () => {
    const cache = new BoundedCache<string, number>(2);
    cache.set('a', 1);
    cache.set('b', 2);
    assert.equal(cache.get('a'), 1);
    cache.set('c', 3);
    assert.deepEqual([cache.get('a'), cache.get('b'), cache.get('c')], [1, undefined, 3]);
    cache.delete('a');
    assert.equal(cache.get('a'), undefined);
  });

  it('preserves its order when the most recent key is read, set and deleted', () => {
    const cache = new BoundedCache<string, number>(2);
    cache.set('a', 1);
    cache.set('b', 2);
    assert.equal(cache.get('b'), 2);
    cache.set('b', 3);
    cache.delete('b');
    cache.set('b', 4);
    cache.set('c', 5);
    assert.deepEqual([cache.get('a'), cache.get('b'), cache.get('c')], [undefined, 4, 5]);
  });

  it('caches undefined, but not a failure', () => {
    const cache = new BoundedCache<string, string | undefined>(2);
    const failing = (): undefined => {
      throw new Error('no');
    };
    assert.throws(() => {
      cache.getOrMake('a', failing);
    });
    cache.getOrMake('a', () => undefined);
    assert.equal(
      cache.getOrMake('a', () => assert.fail('made twice')),
      undefined,
    );
  });
});
