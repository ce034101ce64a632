import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gzipSync } from 'node:zlib';
import { fingerprintOf } from '../../../../service/access/secrets/sealing-key.ts';
import { writeBackup } from '../../../../service/cli/backup/write-backup.ts';
import { type Run, runInProcess } from '../../../support/run-svc.ts';
import { startServeProcess } from '../../../support/serve-process.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../support/temporary-folder.ts';
import { suiteNeeds } from '../../../support/toolchains.ts';

suiteNeeds('processes', 'svc backup and svc restore', () => {
  let folder: TemporaryFolder;
  let data: string;
  let file: string;
  /** A folder that does not exist. */
  let target: string;
  /** A data folder in which nothing is encrypted. */
  let empty: string;
  beforeEach(async () => {
    folder = await temporaryFolder({
      'data/blobs/T1/E1/object': 'a large message',
      'data/blobs/T1/E1/.object.123.tmp': 'an interrupted write',
      'data/archives/T1/C1/1/go-0.zip': '',
    });
    [data, file, target, empty] = ['data', 'svc.backup', 'target', 'empty'].map((name) =>
      path.join(folder.path, name),
    ) as [string, string, string, string];
    // The database is created before the objects, as in the service.
    assert.equal((await run(empty, ['tenant', 'create', 'acme'])).code, 0);
    await copyFile(path.join(empty, 'svc.db'), path.join(data, 'svc.db'));
    assert.equal((await run(data, ['secret', 'set', 'TOKEN', '--tenant', 'acme'], 'value')).code, 0);
  });
  afterEach(() => folder.remove());

  const run = (dataDir: string, args: string[], stdin = ''): Promise<Run> =>
    runInProcess(args, { SVC_DATA_DIR: dataDir }, stdin);

  async function back(...flags: string[]): Promise<Run> {
    const made = await run(data, ['backup', file, ...flags]);
    assert.equal(made.code, 0, made.stderr);
    return made;
  }

  /** The names of backups and of their temporary files. */
  const backups = async (): Promise<string[]> =>
    (await readdir(folder.path)).filter((name) => name.startsWith('svc.backup'));

  it('restore everything except the encryption key, and warn about it', async () => {
    const made = await back();
    assert.equal(made.stdout, `${file}\n`);
    assert.match(made.stderr, /^wrote the database, 1 large message and 1 SDK archive: \d+ KiB\n/);
    assert.match(
      made.stderr,
      /\nWARNING: the backup does not have the encryption key \(.*\/data\/secret\.key\)/,
    );
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    assert.deepEqual(await backups(), ['svc.backup']);

    const { code, stdout, stderr } = await run(target, ['restore', file]);
    assert.deepEqual([code, stdout], [0, ''], stderr);
    assert.match(
      stderr,
      /^restored the backup of \S+ by svc \S+ to .*\/target\nWARNING: .* copy the key to .*\/target\/secret\.key/,
    );
    assert.deepEqual((await readdir(target)).sort(), ['archives', 'blobs', 'svc.db', 'svc.lock']);
    assert.deepEqual(await readdir(path.join(target, 'blobs/T1/E1')), ['object']);
    assert.equal(await readFile(path.join(target, 'blobs/T1/E1/object'), 'utf8'), 'a large message');
    assert.equal((await stat(path.join(target, 'svc.db'))).mode & 0o777, 0o600);
    const secrets = await run(target, ['secret', 'list', '--tenant', 'acme']);
    assert.match(secrets.stdout, /^TOKEN /m);
  });

  it('restore the key from a backup made with --with-key', async () => {
    const made = await back('--with-key');
    assert.match(made.stderr, /\nWARNING: the backup has the encryption key; anyone who reads the file/);
    const { stderr } = await run(target, ['restore', file]);
    assert.ok(!stderr.includes('WARNING'), stderr);
    const key = (dataDir: string): Promise<string> => readFile(path.join(dataDir, 'secret.key'), 'utf8');
    assert.equal(await key(target), await key(data));
  });

  it('refuse --with-key when the data folder lacks the key of the secrets', async () => {
    const refused = async (dataDir: string): Promise<void> => {
      const { code, stdout, stderr } = await run(dataDir, ['backup', file, '--with-key']);
      assert.deepEqual([code, stdout], [1, '']);
      assert.match(
        stderr,
        /^svc: --with-key is not possible: no key in \S+ is that of the secrets; if the service has it in SVC_SECRET_KEY, .*\n$/,
      );
      assert.deepEqual(await backups(), []);
    };
    // The key of the service is in its environment, and not in that of the command.
    const env = { SVC_DATA_DIR: empty, SVC_SECRET_KEY: 'a'.repeat(64) };
    const set = await runInProcess(['secret', 'set', 'TOKEN', '--tenant', 'acme'], env, 'value');
    assert.equal(set.code, 0, set.stderr);
    await refused(empty);
    // The folder has another key than the copy of the database, as after a change of the key in between.
    await writeFile(path.join(data, 'secret.key'), 'b'.repeat(64));
    await refused(data);
  });

  it('include the key of an interrupted key change', async () => {
    const text = await readFile(path.join(data, 'secret.key'), 'utf8');
    const next = `secret.key.${fingerprintOf(Buffer.from(text.trim(), 'hex'))}`;
    await writeFile(path.join(data, next), text);
    await writeFile(path.join(data, 'secret.key'), 'b'.repeat(64));
    await back('--with-key');
    const { stderr } = await run(target, ['restore', file]);
    assert.ok(!stderr.includes('WARNING'), stderr);
    assert.equal(await readFile(path.join(target, next), 'utf8'), text);
  });

  it('need no key when nothing is encrypted', async () => {
    data = empty;
    const made = await back('--with-key');
    assert.doesNotMatch(made.stderr, /WARNING/);
    await writeFile(path.join(data, 'secret.key'), 'b'.repeat(64));
    file = `${file}.2`;
    assert.match((await back('--with-key')).stderr, /\nWARNING: the backup has the encryption key/);
  });

  it('write a tar file that tar and sha256sum can read', async () => {
    await back();
    const unpacked = path.join(folder.path, 'unpacked');
    await mkdir(unpacked);
    execFileSync('tar', ['-xf', file, '-C', unpacked]);
    const checked = execFileSync('sha256sum', ['-c', 'SHA256SUMS'], { cwd: unpacked, encoding: 'utf8' });
    assert.equal(
      checked,
      'svc-backup.json: OK\nsvc.db: OK\nblobs/T1/E1/object: OK\narchives/T1/C1/1/go-0.zip: OK\n',
    );
  });

  it('refuse existing backups, missing folders and data folders without a database', async () => {
    await back();
    const again = await run(data, ['backup', file]);
    assert.deepEqual([again.code, again.stderr], [1, `svc: ${file} exists already: choose another name\n`]);
    const nowhere = await run(target, ['backup', `${file}.2`]);
    assert.equal(nowhere.code, 1);
    assert.match(nowhere.stderr, /^svc: there is no database in .*\/target: set SVC_DATA_DIR /);
    await assert.rejects(stat(target), { code: 'ENOENT' });
    const unmade = await run(data, ['backup', path.join(target, 'x')]);
    assert.match(unmade.stderr, /^svc: the folder .*\/target does not exist: create it first\n$/);
    const absent = await run(target, ['restore', `${file}.2`]);
    assert.match(absent.stderr, /^svc: .*svc\.backup\.2 does not exist: /);
  });

  it('write only one of two concurrent backups with the same name', async () => {
    const both = await Promise.all([run(data, ['backup', file]), run(data, ['backup', file])]);
    both.sort((one, other) => Number(one.code) - Number(other.code));
    assert.deepEqual(
      both.map(({ code, stdout }) => [code, stdout]),
      [
        [0, `${file}\n`],
        [1, ''],
      ],
    );
    assert.equal(both[1].stderr, `svc: ${file} exists already: choose another name\n`);
    assert.deepEqual(await backups(), ['svc.backup']);
    assert.equal((await run(target, ['restore', file])).code, 0);
  });

  it('keep a file that takes the name during the backup', async () => {
    await writeFile(file, 'another backup');
    await assert.rejects(writeBackup(data, file, { withKey: false }), { code: 'EEXIST' });
    assert.equal(await readFile(file, 'utf8'), 'another backup');
    assert.deepEqual(await backups(), ['svc.backup']);
  });

  it('refuse PostgreSQL, and --with-key with a key from the environment', async () => {
    const env = { SVC_DATA_DIR: data, SVC_DATABASE_URL: 'postgres://svc@127.0.0.1:1/svc' };
    for (const command of ['backup', 'restore']) {
      const { code, stderr } = await runInProcess([command, file], env);
      assert.equal(code, 1);
      assert.match(stderr, /^svc: SVC_DATABASE_URL is set: .* \(?see docs\/operating\.md/);
    }
    const keyed = { SVC_DATA_DIR: data, SVC_SECRET_KEY: '0'.repeat(64) };
    const { code, stderr } = await runInProcess(['backup', file, '--with-key'], keyed);
    assert.equal(code, 2);
    assert.match(stderr, /^svc: --with-key is not possible: the key is in SVC_SECRET_KEY/);
  });

  it('refuse to restore into a data folder that is not empty or in use', async () => {
    await back();
    const before = (await readdir(data)).sort();
    const full = await run(data, ['restore', file]);
    assert.equal(full.code, 1);
    assert.match(
      full.stderr,
      /^svc: the data folder .*\/data is not empty \(it has \S+\): set SVC_DATA_DIR /,
    );
    assert.deepEqual((await readdir(data)).sort(), before);
    const service = await startServeProcess({ SVC_DATA_DIR: target });
    try {
      const { code, stderr } = await run(target, ['restore', file]);
      assert.equal(code, 1);
      assert.match(
        stderr,
        /^svc: svc serve runs on the data folder .*\/target, and .*: set SVC_DATA_DIR to an empty folder\n$/,
      );
    } finally {
      await service.kill();
    }
  });

  it('repeat an interrupted restore, and block other commands until then', async () => {
    await back();
    // The remains of a process that is killed while it unpacks.
    await mkdir(path.join(target, '.restore-0123'), { recursive: true });
    for (const name of ['svc.lock', 'svc.lock-journal']) await writeFile(path.join(target, name), '');
    const early = await run(target, ['tenant', 'create', 'acme']);
    assert.equal(early.code, 1);
    assert.match(
      early.stderr,
      /svc: svc restore was interrupted in the data folder .*\/target: run it again, or /,
    );
    const again = await run(target, ['restore', file]);
    assert.equal(again.code, 0, again.stderr);
    assert.ok(!(await readdir(target)).includes('.restore-0123'));
  });

  it('refuse damaged backups and other files, leave nothing behind, and then restore a good one', async () => {
    await back();
    const { size } = await stat(file);
    const bad = path.join(folder.path, 'bad');
    target = path.join(folder.path, 'parent/target');
    const refused = async (message: RegExp): Promise<void> => {
      const { code, stderr } = await run(target, ['restore', bad]);
      assert.equal(code, 1, stderr);
      assert.match(stderr, message);
      assert.ok(!existsSync(path.dirname(target)));
    };
    // Behind the manifest, in the first bytes of an entry, before the checksums, and in the database.
    for (const length of [1_536, 2_200, 3_000, size - 2_560, Math.floor(size / 2)]) {
      await copyFile(file, bad);
      await truncate(bad, length);
      await refused(/^svc: .*bad is damaged \(.*\): nothing was restored; use another backup\n$/);
    }
    // In the manifest, the header of an entry, the database, and the checksums.
    const bytes = await readFile(file);
    for (const at of [
      bytes.indexOf('"migrations"') + 2,
      bytes.indexOf('svc.db'),
      Math.floor(size / 2),
      bytes.lastIndexOf('go-0.zip'),
    ]) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      await writeFile(bad, changed);
      await refused(/^svc: .*bad is (?:damaged \(.*\): nothing was restored|not a backup)/);
    }
    for (const text of ['', 'text', 'x'.repeat(2_048)]) {
      await writeFile(bad, text);
      await refused(/^svc: .*bad is not a backup: give a file that svc backup has written\n$/);
    }
    await writeFile(bad, gzipSync(bytes));
    await refused(
      /^svc: .*bad is compressed with gzip: decompress it with gunzip, and restore the result\n$/,
    );
    await mkdir(target, { recursive: true });
    assert.equal((await run(target, ['restore', bad])).code, 1);
    assert.deepEqual(await readdir(target), []);
    const { stderr } = await run(target, ['restore', folder.path]);
    assert.equal(stderr, `svc: ${folder.path} is not a file: give a file that svc backup has written\n`);
    assert.equal((await run(target, ['restore', file])).code, 0);
  });

  it('refuse backups of a newer svc, and entries outside the data folder', async () => {
    await back();
    const unpacked = path.join(folder.path, 'unpacked');
    await mkdir(unpacked);
    execFileSync('tar', ['-xf', file, '-C', unpacked]);
    const manifest = JSON.parse(await readFile(path.join(unpacked, 'svc-backup.json'), 'utf8')) as {
      migrations: string[];
    };
    const bad = path.join(folder.path, 'bad');
    const pack = async (changes: object, ...names: string[]): Promise<string> => {
      await writeFile(path.join(unpacked, 'svc-backup.json'), JSON.stringify({ ...manifest, ...changes }));
      execFileSync('tar', ['-cPf', bad, '-C', unpacked, 'svc-backup.json', ...names]);
      const { code, stderr } = await run(target, ['restore', bad]);
      assert.equal(code, 1, stderr);
      return stderr;
    };
    const newer =
      /^svc: .*bad is a backup of svc \S+, which is newer than this one: restore it with that version\n$/;
    assert.match(await pack({ format: 2 }, 'svc.db'), newer);
    assert.match(await pack({ migrations: [...manifest.migrations, '9999-later'] }, 'svc.db'), newer);
    await writeFile(path.join(folder.path, 'outside'), '');
    assert.match(await pack({}, 'svc.db', '../outside'), /is damaged \(it has the entry "\.\.\/outside"\)/);
    assert.match(await pack({}, 'svc.db'), /is damaged \(its end is missing\)/);
  });

  it('explain how to handle a database that cannot be backed up', async () => {
    const database = path.join(data, 'svc.db');
    const db = new DatabaseSync(database);
    db.exec('drop table sealing_key');
    db.close();
    const older = await run(data, ['backup', file]);
    assert.equal(older.code, 1);
    assert.match(
      older.stderr,
      /cannot back up the database in .*data \(no such table: sealing_key\): if an older release wrote it, stop svc and copy the folder\n$/,
    );
    await writeFile(database, 'not a database');
    const damaged = await run(data, ['backup', file]);
    assert.equal(damaged.code, 1);
    assert.match(
      damaged.stderr,
      /\(file is not a database\): its file is damaged: restore an earlier backup with svc restore\n$/,
    );
  });

  it('report a database that is damaged beyond its first page', async () => {
    const database = path.join(data, 'svc.db');
    const db = new DatabaseSync(database);
    const { rootpage } = db.prepare("select rootpage from sqlite_schema where name = 'tenants'").get() as {
      rootpage: number;
    };
    const { page_size: pageSize } = db.prepare('pragma page_size').get() as { page_size: number };
    db.close();
    const bytes = await readFile(database);
    await writeFile(database, bytes.fill(0, (rootpage - 1) * pageSize, rootpage * pageSize));
    const { code, stderr } = await run(data, ['tenant', 'list']);
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^svc: the database file is damaged: restore a backup with svc restore \(.*malformed\)\n$/,
    );
  });
});
