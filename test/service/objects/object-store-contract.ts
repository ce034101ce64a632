import assert from 'node:assert/strict';
import type { ObjectStore } from '../../../service/objects/object-store.ts';

/** Declares the tests that every implementation of `ObjectStore` passes. `create` returns an empty store for each test. */
export function objectStoreContract(create: () => Promise<ObjectStore>): void {
  let store: ObjectStore;
  beforeEach(async () => {
    store = await create();
  });

  const text = (content: string): Uint8Array => new TextEncoder().encode(content);

  describe('put and get', () => {
    it('return the same bytes', async () => {
      const bytes = Uint8Array.from({ length: 100_000 }, (_, index) => index % 251);
      await store.put('T1/C1/1/go-ab12.zip', bytes);
      assert.deepEqual(await store.get('T1/C1/1/go-ab12.zip'), bytes);
    });

    it('store an empty object', async () => {
      await store.put('empty', new Uint8Array());
      assert.deepEqual(await store.get('empty'), new Uint8Array());
    });

    it('store only the bytes of a view', async () => {
      await store.put('view', text('abcdef').subarray(2, 4));
      assert.deepEqual(await store.get('view'), text('cd'));
    });

    it('replace an object, and accept the same bytes again', async () => {
      await store.put('a/b', text('old'));
      await store.put('a/b', text('new'));
      await store.put('a/b', text('new'));
      assert.deepEqual(await store.get('a/b'), text('new'));
      assert.deepEqual(await store.list(''), ['a/b']);
    });

    it('never mix the bytes of concurrent puts', async () => {
      const candidates = Array.from({ length: 8 }, (_, index) => text(String(index).repeat(50_000)));
      await store.put('a/b', text('first'));
      const reads: Promise<Uint8Array | undefined>[] = [];
      await Promise.all(
        candidates.map(async (bytes) => {
          reads.push(store.get('a/b'));
          await store.put('a/b', bytes);
          reads.push(store.get('a/b'));
        }),
      );
      const whole = ['first', ...candidates.map((bytes) => new TextDecoder().decode(bytes))];
      for (const bytes of await Promise.all(reads)) {
        assert.ok(whole.includes(new TextDecoder().decode(bytes)));
      }
      assert.deepEqual(await store.list('a/'), ['a/b']);
    });

    it('return undefined for a missing key', async () => {
      await store.put('a/b/c', text('x'));
      for (const key of ['b', 'a/c', 'a/b', 'a/b/c/d']) assert.equal(await store.get(key), undefined, key);
    });
  });

  describe('delete', () => {
    it('removes one object', async () => {
      await store.put('a/b', text('1'));
      await store.put('a/c', text('2'));
      await store.delete('a/b');
      assert.equal(await store.get('a/b'), undefined);
      assert.deepEqual(await store.list(''), ['a/c']);
    });

    it('succeeds for a missing key', async () => {
      await store.put('a/b', text('1'));
      for (const key of ['b', 'a/c', 'a', 'a/b/c']) await store.delete(key);
      assert.deepEqual(await store.list(''), ['a/b']);
    });
  });

  describe('deleteAll', () => {
    it('succeeds while objects are stored under the prefix', async () => {
      const names = Array.from({ length: 40 }, (_, n) => `T9/C9/${n}`);
      for (let round = 0; round < 10; round += 1) {
        const puts = names.map((name) => store.put(name, new Uint8Array(10)).catch(() => undefined));
        for (let n = 0; n < 5; n += 1) await store.deleteAll('T9/C9/');
        await Promise.all(puts);
      }
      await store.deleteAll('T9/C9/');
      assert.deepEqual(await store.list('T9/C9/'), []);
    });

    it('removes every object under the prefix, and no other', async () => {
      for (const key of ['T1/C1/1/x', 'T1/C1/2/y', 'T1/C10/1/z', 'T2/C1/1/x'])
        await store.put(key, text(key));
      await store.deleteAll('T1/C1/');
      assert.deepEqual(await store.list(''), ['T1/C10/1/z', 'T2/C1/1/x']);
    });

    it('succeeds if no key has the prefix', async () => {
      await store.deleteAll('T1/C1/');
      await store.put('T1/C1/x', text('again'));
      assert.deepEqual(await store.list('T1/C1/'), ['T1/C1/x']);
    });

    it('rejects an empty prefix and a prefix without a trailing slash', async () => {
      await store.put('T1/C1', text('x'));
      for (const prefix of ['T1', '', '/']) await assert.rejects(store.deleteAll(prefix), /prefix|key/);
      assert.deepEqual(await store.list(''), ['T1/C1']);
    });
  });

  describe('list', () => {
    it('returns the keys with a prefix in ascending order', async () => {
      const keys = ['a/10', 'a/9', 'a-b/1', 'a/b/c', 'A/1', 'ab'];
      for (const key of keys) await store.put(key, text(key));
      assert.deepEqual(await store.list(''), ['A/1', 'a-b/1', 'a/10', 'a/9', 'a/b/c', 'ab']);
      assert.deepEqual(await store.list('a/'), ['a/10', 'a/9', 'a/b/c']);
      assert.deepEqual(await store.list('a/1'), ['a/10']);
      assert.deepEqual(await store.list('a'), ['a-b/1', 'a/10', 'a/9', 'a/b/c', 'ab']);
      assert.deepEqual(await store.list('a/b/c'), ['a/b/c']);
    });

    it('returns nothing for an unknown prefix', async () => {
      assert.deepEqual(await store.list(''), []);
      assert.deepEqual(await store.list('T1/'), []);
    });
  });

  it('rejects invalid keys', async () => {
    for (const key of [
      '',
      '.',
      '..',
      '/a',
      'a/',
      'a//b',
      'a/../b',
      '../a',
      'a\\b',
      '.a',
      'a/.b',
      'a b',
      'ä',
    ]) {
      const invalid = /invalid object key/;
      await assert.rejects(store.put(key, text('x')), invalid, key);
      await assert.rejects(store.get(key), invalid, key);
      await assert.rejects(store.delete(key), invalid, key);
    }
    for (const prefix of ['/', '../', 'a/../', 'a//', '.']) {
      await assert.rejects(store.list(prefix), /invalid prefix/, prefix);
      await assert.rejects(store.deleteAll(`${prefix}/`), /invalid object key/, prefix);
    }
    assert.deepEqual(await store.list(''), []);
  });

  it('passes its check while empty', async () => {
    await store.check();
    assert.deepEqual(await store.list(''), []);
  });
}
