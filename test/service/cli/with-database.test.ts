import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runWhole } from '../../support/run-svc.ts';
import { suiteNeeds } from '../../support/toolchains.ts';

suiteNeeds('processes', 'a command that acts on the database', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(path.join(tmpdir(), 'svc-folder-')));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('reports that it creates a database, and then omits the default folder', async () => {
    const tenant = (args: string[]) =>
      runWhole(['tenant', ...args], { cwd: folder, env: { SVC_DATA_DIR: '' } });
    const [first, second] = [await tenant(['create', 'acme']), await tenant(['list'])];
    assert.equal(
      first.stderr,
      `there is no database in ${folder}/data yet: creating one; if your data is elsewhere, set SVC_DATA_DIR to its folder\n`,
    );
    assert.deepEqual([first.code, second.code, second.stderr], [0, 0, '']);
  });

  it('prints a data folder that is not the default', async () => {
    const dataDir = path.join(folder, 'other');
    const tenant = (args: string[]) => runWhole(['tenant', ...args], { env: { SVC_DATA_DIR: dataDir } });
    const created = await tenant(['create', 'acme']);
    assert.match(created.stderr, /^there is no database in .*\/other yet: creating one; if/);
    assert.equal((await tenant(['list'])).stderr, `using the data folder ${dataDir}\n`);
  });

  it('creates no database for a command that needs existing data', async () => {
    const commands = [
      ['tenant', 'list'],
      ['key', 'create', '--tenant', 'acme'],
      ['secret', 'list', '--tenant', 'acme'],
    ];
    for (const args of commands) {
      const { code, stdout, stderr } = await runWhole(args, { cwd: folder, env: { SVC_DATA_DIR: '' } });
      assert.deepEqual([code, stdout], [1, ''], args.join(' '));
      assert.equal(
        stderr,
        `svc: there is no database in ${folder}/data: set SVC_DATA_DIR to the folder of your data (svc serve and svc tenant create make a new one)\n`,
      );
    }
    assert.deepEqual(await readdir(folder), []);
  });

  it('does not announce a database that it cannot create', async () => {
    const file = path.join(folder, 'file');
    await writeFile(file, '');
    const lost = path.join(folder, 'lost');
    await mkdir(path.join(lost, 'blobs'), { recursive: true });
    await writeFile(path.join(lost, 'blobs/a'), '');
    for (const [args, dataDir, reason] of [
      [['serve'], file, 'cannot create the data folder'],
      [['tenant', 'create', 'acme'], path.join(file, 'data'), 'cannot create the data folder'],
      [['serve'], lost, `the data folder ${lost} has blobs/, but no database`],
    ] as const) {
      const { code, stderr } = await runWhole(args, { env: { SVC_DATA_DIR: dataDir } });
      assert.deepEqual([code, stderr.split('\n').length], [1, 2], stderr);
      assert.ok(stderr.startsWith(`svc: ${reason}`), stderr);
    }
  });

  it('does not mention the data folder with PostgreSQL', async () => {
    const env = { SVC_DATA_DIR: folder, SVC_DATABASE_URL: 'postgres://svc@127.0.0.1:1/svc' };
    const { code, stderr } = await runWhole(['tenant', 'list'], { env });
    assert.equal(code, 1);
    assert.doesNotMatch(stderr, /data folder/);
  });
});
