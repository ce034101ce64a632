import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { probeFolder } from '../../../service/objects/probe-folder.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.ts';

describe('probeFolder', () => {
  let folder: TemporaryFolder;
  beforeEach(async () => {
    folder = await temporaryFolder({});
  });
  afterEach(() => folder.remove());

  const bytesInFolder = (): number =>
    readdirSync(folder.path)
      .map((name) => statSync(path.join(folder.path, name), { throwIfNoEntry: false })?.size ?? 0)
      .reduce((sum, size) => sum + size, 0);

  it('writes to an unnamed file, which a killed process does not leave behind', async () => {
    for (let count = 0; count < 20; count += 1) {
      let open = 1;
      const probe = probeFolder(folder.path).finally(() => {
        open -= 1;
      });
      while (open > 0) {
        assert.equal(bytesInFolder(), 0);
        await nextTurn();
      }
      await probe;
    }
    assert.deepEqual(readdirSync(folder.path), []);
  });

  it('reports the error of the file system', async () => {
    await assert.rejects(
      probeFolder(path.join(folder.path, 'absent')),
      /^Error: cannot write a file: no such file or directory$/,
    );
  });
});
