import assert from 'node:assert/strict';
import type { Database } from '../../../../service/store/database.ts';
import { coalesceReads } from '../../../../service/store/prepared/coalesce-reads.ts';

describe('coalesceReads', () => {
  const db = {} as Database;
  let reads: string[][] = [];
  let stored = 'first';
  const read = coalesceReads((_, ...keys: string[]) => {
    reads.push(keys);
    return Promise.resolve(`${stored} ${keys.join('/')}`);
  });
  beforeEach(() => {
    reads = [];
    stored = 'first';
  });

  it('reads once per turn for concurrent calls with equal keys', async () => {
    assert.deepEqual(await Promise.all([read(db, 'a', 'b'), read(db, 'a', 'b')]), ['first a/b', 'first a/b']);
    assert.deepEqual(reads, [['a', 'b']]);
  });

  it('distinguishes keys and databases', async () => {
    await Promise.all([read(db, 'a', 'b'), read(db, 'a,b'), read({} as Database, 'a', 'b')]);
    assert.equal(reads.length, 3);
  });

  it('returns the latest value stored before each call', async () => {
    const one = read(db, 'a');
    await Promise.resolve();
    stored = 'second';
    assert.deepEqual(await Promise.all([one, read(db, 'a')]), ['second a', 'second a']);
  });

  it('reads again in the next turn', async () => {
    await read(db, 'a');
    stored = 'second';
    assert.equal(await read(db, 'a'), 'second a');
  });

  it('reads again after a failure', async () => {
    let broken = true;
    const flaky = coalesceReads<[string], string>(() =>
      broken ? Promise.reject(new Error('broken')) : Promise.resolve('whole'),
    );
    await assert.rejects(flaky(db, 'a'), /broken/);
    broken = false;
    assert.equal(await flaky(db, 'a'), 'whole');
  });
});
