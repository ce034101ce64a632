import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { TransientMap } from '../../service/transient-map.ts';
import { suiteNeeds } from '../support/toolchains.ts';

const module = path.resolve(import.meta.dirname, '../../service/transient-map.ts');

/**
 * Bytes that a map still holds after 20,000 entries were added and deleted in a promoted table.
 *
 * @param length of each entry, in words
 */
async function keptByAnOldMap(declaration: string, length: number): Promise<number> {
  const script = `
    ${declaration}
    const live = new Entries();
    const come = (id) => live.set('run' + id, { body: new Array(${length}).fill(id) });
    for (let id = 0; id < 64; id += 1) come(id);
    // Promotes the table to the old generation.
    gc();
    gc();
    const before = process.memoryUsage().heapUsed;
    for (let id = 64; id < 20_064; id += 1) {
      come(id);
      live.delete('run' + (id - 64));
    }
    for (let times = 0; times < 3; times += 1) gc({ type: 'minor' });
    console.log(process.memoryUsage().heapUsed - before);`;
  // Everything fits into the young generation, so that no full collection interferes.
  const flags = ['--expose-gc', '--max-semi-space-size=256', '--min-semi-space-size=256'];
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...flags,
    '--input-type=module',
    '--eval',
    script,
  ]);
  return Number(stdout);
}

describe('TransientMap', () => {
  it('stores, returns, replaces and deletes values by key', () => {
    const map = new TransientMap<string, number>();
    map.set('a', 1);
    map.set('b', 2);
    map.set('a', 3);
    assert.equal(map.size, 2);
    assert.equal(map.get('a'), 3);
    assert.ok(map.has('b'));
    map.delete('b');
    map.delete('never there');
    assert.equal(map.get('b'), undefined);
    assert.ok(!map.has('b'));
    assert.deepEqual(map.values(), [3]);
    map.clear();
    assert.equal(map.size, 0);
    assert.deepEqual(map.values(), []);
  });

  it('lists values in insertion order even if entries are deleted meanwhile', () => {
    const map = new TransientMap<number, string>();
    for (const key of [3, 1, 2]) map.set(key, `value ${key}`);
    const seen: string[] = [];
    for (const value of map.values()) {
      map.clear();
      seen.push(value);
    }
    assert.deepEqual(seen, ['value 3', 'value 1', 'value 2']);
  });

  suiteNeeds('processes', 'in a separate process', () => {
    const transientMap = `import { TransientMap as Entries } from ${JSON.stringify(module)};`;

    it('releases deleted entries, which a Map keeps until the next full collection', async function () {
      this.timeout(180_000);
      const bytes = 20_000 * 500 * 8;
      const [transient, plain] = await Promise.all([
        keptByAnOldMap(transientMap, 500),
        keptByAnOldMap('const Entries = Map;', 500),
      ]);
      assert.ok(transient < bytes / 10, `${transient} bytes are kept of ${bytes}`);
      assert.ok(
        plain > bytes / 2,
        `a Map keeps only ${plain} bytes of ${bytes}: TransientMap is not needed any more`,
      );
    });

    it('releases the keys of deleted entries', async function () {
      this.timeout(180_000);
      const [transient, plain] = await Promise.all([
        keptByAnOldMap(transientMap, 1),
        keptByAnOldMap('const Entries = Map;', 1),
      ]);
      assert.ok(transient < plain / 5, `${transient} bytes are kept, by a Map ${plain}`);
    });
  });
});
