import assert from 'node:assert/strict';
import { readOptions } from './options.ts';

describe('the options of a soak', () => {
  it('include every harm by default', () => {
    assert.deepEqual(readOptions(['--seed', '7']), {
      seconds: 600,
      database: 'postgres',
      replicas: 2,
      seed: 7,
      harms: ['kill', 'restart', 'freeze', 'container', 'database', 'stall', 'cut', 'hold', 'slow'],
    });
  });

  it('are restricted to what SQLite supports', () => {
    const { replicas, harms } = readOptions(['--database', 'sqlite']);
    assert.deepEqual({ replicas, harms }, { replicas: 1, harms: ['kill', 'restart', 'freeze', 'container'] });
    assert.throws(
      () => readOptions(['--database', 'sqlite', '--replicas', '2']),
      /SQLite serves one replica/,
    );
    assert.throws(() => readOptions(['--database', 'sqlite', '--harm', 'database']), /--harm takes none, or/);
  });

  it('select harms', () => {
    assert.deepEqual(readOptions(['--harm', 'none']).harms, []);
    assert.deepEqual(readOptions(['--harm', 'freeze,kill']).harms, ['freeze', 'kill']);
    assert.throws(() => readOptions(['--harm', 'fire']), /not "fire"/);
  });

  it('reject invalid values', () => {
    assert.throws(() => readOptions(['--minutes', 'ten']), /--minutes must be a number above 0/);
    assert.throws(() => readOptions(['--seed', '-1']));
    assert.throws(() => readOptions(['--database', 'mysql']), /--database takes sqlite or postgres/);
  });
});
