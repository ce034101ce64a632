import assert from 'node:assert/strict';
import { createByteCache, textBytes } from '../../../service/documents/byte-cache.ts';

describe('a cache bounded by bytes', () => {
  const cacheOf = (keptBytes: number) => {
    const made: string[] = [];
    const cache = createByteCache<string>({ keptBytes, sizeOf: (text) => text.length });
    const get = (key: string, text = key): Promise<string> =>
      cache.get(key, () => {
        made.push(key);
        return Promise.resolve(text);
      });
    return { cache, get, made };
  };

  it('makes a value once', async () => {
    const { get, made } = cacheOf(10);
    assert.deepEqual([await get('a'), await get('a'), await get('b')], ['a', 'a', 'b']);
    assert.deepEqual(made, ['a', 'b']);
  });

  it('keeps as many bytes as it may, and forgets what was used longest ago', async () => {
    const { get, made } = cacheOf(10);
    for (const key of ['a', 'b', 'a', 'c']) await get(key, '12345');
    assert.deepEqual(made, ['a', 'b', 'c']);
    await get('a');
    await get('b', '12345');
    assert.deepEqual(made, ['a', 'b', 'c', 'b']);
  });

  it('does not keep what is larger than all its room, nor forget others for it', async () => {
    const { get, made } = cacheOf(10);
    await get('a', '1234567890');
    await get('b', '12345678901');
    await get('b', '12345678901');
    await get('a');
    assert.deepEqual(made, ['a', 'b', 'b']);
  });

  it('lets those who ask at once share one making', async () => {
    const { get, made } = cacheOf(10);
    await Promise.all([get('a'), get('a'), get('a')]);
    assert.deepEqual(made, ['a']);
  });

  it('tries again what failed', async () => {
    const { cache, get } = cacheOf(10);
    await assert.rejects(
      cache.get('a', () => Promise.reject(new Error('no'))),
      /no/,
    );
    assert.equal(await get('a', 'yes'), 'yes');
  });

  it('counts two bytes a character', () => {
    assert.equal(textBytes('abc'), 6);
  });
});
