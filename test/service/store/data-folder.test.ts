import assert from 'node:assert/strict';
import { chmod, mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { DataFolderError, makeDataFolder } from '../../../service/store/data-folder.ts';
import { lockDataFolder } from '../../../service/store/lock-data-folder.ts';
import { makeSqliteFile } from '../../../service/store/sqlite-file.ts';
import { isRoot } from '../../support/unprivileged.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.ts';

describe('the data folder', () => {
  let folder: TemporaryFolder;
  afterEach(() => folder.remove());

  const modeOf = async (name: string): Promise<string> =>
    ((await stat(path.join(folder.path, name))).mode & 0o777).toString(8);
  const widen = async (...names: string[]): Promise<void> => {
    for (const name of names) {
      const place = path.join(folder.path, name);
      await chmod(place, (await stat(place)).isDirectory() ? 0o755 : 0o644);
    }
  };

  describe('with the files of an earlier release', () => {
    const files = [
      'svc.db',
      'svc.db-wal',
      'svc.db-shm',
      'secret.key',
      'archives/T1/C1/1/go.zip',
      'blobs/T1/E1/ab',
    ];
    beforeEach(async () => {
      folder = await temporaryFolder(Object.fromEntries(files.map((name) => [name, 'content'])));
      await widen('', 'archives', 'blobs', 'archives/T1', 'archives/T1/C1', ...files);
    });

    it('becomes private with all its content', async () => {
      await makeDataFolder(folder.path);
      assert.equal(await modeOf(''), '700');
      for (const entry of await readdir(folder.path, { recursive: true })) {
        const expected = files.includes(entry) ? '600' : '700';
        assert.equal(await modeOf(entry), expected, entry);
      }
    });

    it('keeps its own mode and the modes of foreign files if it contains any', async () => {
      await writeFile(path.join(folder.path, 'notes.txt'), '');
      await mkdir(path.join(folder.path, 'home'));
      await widen('notes.txt', 'home');
      await makeDataFolder(folder.path);
      assert.deepEqual(await Promise.all(['', 'notes.txt', 'home', 'svc.db', 'blobs'].map(modeOf)), [
        '755',
        '644',
        '755',
        '600',
        '700',
      ]);
    });

    it('gains no permissions', async () => {
      for (const [name, mode] of Object.entries({ '': 0o555, archives: 0o550, 'svc.db': 0o444 })) {
        await chmod(path.join(folder.path, name), mode);
      }
      // A folder without write permission is refused, except to root.
      await (isRoot ? makeDataFolder(folder.path) : assert.rejects(makeDataFolder(folder.path)));
      const modes = await Promise.all(['', 'archives', 'svc.db'].map(modeOf));
      assert.deepEqual(modes, isRoot ? ['500', '500', '400'] : ['555', '550', '444']);
      await chmod(folder.path, 0o700);
      await chmod(path.join(folder.path, 'archives'), 0o700);
    });

    it('does not descend into folders that are already private', async () => {
      await chmod(path.join(folder.path, 'blobs'), 0o700);
      await makeDataFolder(folder.path);
      assert.equal(await modeOf('blobs/T1/E1/ab'), '644');
    });
  });

  describe('for a SQLite database', () => {
    const refused = (what: string) => (error: Error) => {
      assert.ok(error instanceof DataFolderError);
      assert.equal(
        error.message,
        `the data folder ${folder.path} has ${what}, but no database: restore svc.db from the backup, set SVC_DATABASE_URL if the database is PostgreSQL, or set SVC_DATA_DIR to an empty folder to start anew`,
      );
      return true;
    };

    it('is rejected if archives, blobs or a secret key exist, but the database is missing or empty', async () => {
      for (const [files, what] of [
        [['secret.key'], 'secret.key'],
        [['archives/T1/C1/1/go.zip'], 'archives/'],
        [['blobs/T1/E1/ab', 'secret.key', 'svc.db'], 'secret.key and blobs/'],
      ] as const) {
        folder = await temporaryFolder(Object.fromEntries(files.map((name) => [name, ''])));
        await assert.rejects(makeSqliteFile(folder.path), refused(what));
        await folder.remove();
      }
      folder = await temporaryFolder({});
    });

    it('may be empty, contain empty folders and leftovers of checks, or contain a database', async () => {
      for (const files of [
        {},
        { 'archives/.probe-0a': '', 'blobs/.probe-0b': '' },
        { 'secret.key': 'key', 'archives/T1/C1/1/go.zip': 'zip', 'svc.db': 'SQLite format 3' },
      ]) {
        folder = await temporaryFolder(files);
        await makeSqliteFile(folder.path);
        await stat(path.join(folder.path, 'svc.db'));
        await folder.remove();
      }
      folder = await temporaryFolder({});
    });

    it('is locked by one process at a time', async () => {
      folder = await temporaryFolder({});
      const first = await lockDataFolder(folder.path);
      for (let attempt = 0; attempt < 2; attempt += 1) {
        await assert.rejects(lockDataFolder(folder.path), (error: Error) => {
          assert.ok(error instanceof DataFolderError);
          assert.equal(
            error.message,
            `another svc serve runs on the data folder ${folder.path}: stop it, set SVC_DATA_DIR to another folder, or set SVC_DATABASE_URL to run several on PostgreSQL`,
          );
          return true;
        });
      }
      assert.equal(await modeOf('svc.lock'), '600');
      first.release();
      (await lockDataFolder(folder.path)).release();
    });
  });
});
