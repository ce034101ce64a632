import assert from 'node:assert/strict';
import type { Database } from '../../../../service/store/database.ts';
import { onceATurn } from '../../../../service/store/hot/once-a-turn.ts';

describe('onceATurn', () => {
  const db = {} as Database;
  let reads: string[][] = [];
  let stored = 'first';
  const read = onceATurn((_, ...keys) => {
    reads.push(keys);
    return Promise.resolve(`${stored} ${keys.join('/')}`);
  });
  beforeEach(() => {
    reads = [];
    stored = 'first';
  });

  it('reads the same once for all who ask in one turn', async () => {
    assert.deepEqual(await Promise.all([read(db, 'a', 'b'), read(db, 'a', 'b')]), ['first a/b', 'first a/b']);
    assert.deepEqual(reads, [['a', 'b']]);
  });

  it('tells keys and databases apart', async () => {
    await Promise.all([read(db, 'a', 'b'), read(db, 'a,b'), read({} as Database, 'a', 'b')]);
    assert.equal(reads.length, 3);
  });

  it('shows what was stored before it was asked, to each of them', async () => {
    const one = read(db, 'a');
    await Promise.resolve();
    stored = 'second';
    assert.deepEqual(await Promise.all([one, read(db, 'a')]), ['second a', 'second a']);
  });

  it('reads anew in the next turn', async () => {
    await read(db, 'a');
    stored = 'second';
    assert.equal(await read(db, 'a'), 'second a');
  });

  it('forgets a read that failed', async () => {
    let broken = true;
    const flaky = onceATurn(() => (broken ? Promise.reject(new Error('broken')) : Promise.resolve('whole')));
    await assert.rejects(flaky(db, 'a'), /broken/);
    broken = false;
    assert.equal(await flaky(db, 'a'), 'whole');
  });
});
