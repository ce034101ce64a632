import assert from 'node:assert/strict';
import { createDocumentCache } from '../../../service/documents/document-cache.ts';

describe('the document cache', () => {
  const cacheOf = (maxBytes: number) => {
    const made: string[] = [];
    const cache = createDocumentCache(maxBytes);
    const get = async (key: string, size = 1): Promise<string> => {
      const { sha256 } = await cache.get(key, () => {
        made.push(key);
        return Promise.resolve({ bytes: new Uint8Array(size), sha256: `hash of ${key}` });
      });
      return sha256;
    };
    return { cache, get, made };
  };

  it('creates each document once', async () => {
    const { get, made } = cacheOf(10);
    assert.deepEqual(
      [await get('a'), await get('a'), await get('b')],
      ['hash of a', 'hash of a', 'hash of b'],
    );
    assert.deepEqual(made, ['a', 'b']);
  });

  it('drops the least recently used document when it is full', async () => {
    const { get, made } = cacheOf(10);
    for (const key of ['a', 'b', 'a', 'c']) await get(key, 5);
    assert.deepEqual(made, ['a', 'b', 'c']);
    await get('a', 5);
    await get('b', 5);
    assert.deepEqual(made, ['a', 'b', 'c', 'b']);
  });

  it('keeps other documents when one is larger than the cache', async () => {
    const { get, made } = cacheOf(10);
    await get('a', 10);
    await get('b', 11);
    await get('b', 11);
    await get('a', 10);
    assert.deepEqual(made, ['a', 'b', 'b']);
  });

  it('creates a document once for concurrent callers', async () => {
    const { get, made } = cacheOf(10);
    await Promise.all([get('a'), get('a'), get('a')]);
    assert.deepEqual(made, ['a']);
  });

  it('creates a document again after a failure', async () => {
    const { cache, get } = cacheOf(10);
    const failing = () => cache.get('a', () => Promise.reject(new Error('no')));
    await Promise.all([assert.rejects(failing(), /no/), assert.rejects(failing(), /no/)]);
    assert.equal(await get('a'), 'hash of a');
  });
});
