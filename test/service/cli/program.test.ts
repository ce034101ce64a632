import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { type Run, runInProcess, runSvc, svc } from '../../support/run-svc.ts';
import { suiteNeeds } from '../../support/toolchains.ts';

suiteNeeds('processes', 'svc', () => {
  let dataDir: string;
  beforeEach(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), 'svc-cli-'));
  });
  afterEach(() => rm(dataDir, { recursive: true }));

  const run = (args: string[], env: Record<string, string> = {}): Promise<Run> =>
    runSvc(args, { env: { SVC_DATA_DIR: dataDir, ...env } });

  it('prints help and exits with 0', async () => {
    const { code, stdout, stderr } = await run(['--help']);
    assert.equal(code, 0);
    assert.equal(stderr, '');
    for (const command of ['migrate', 'tenant', 'key'])
      assert.match(stdout, new RegExp(`^  ${command}\\b`, 'm'));
  });

  it('prints its version', async () => {
    const { code, stdout, stderr } = await runInProcess(['--version'], { SVC_DATA_DIR: dataDir });
    const manifest = path.resolve(import.meta.dirname, '../../../package.json');
    const { version } = JSON.parse(await readFile(manifest, 'utf8')) as { version: string };
    assert.deepEqual([code, stdout, stderr], [0, `${version}\n`, '']);
  });

  it('exits with 2 and empty stdout on wrong usage', async () => {
    const usages: [string[], RegExp][] = [
      [[], /^Usage: svc /],
      [['tenant'], /^Usage: svc tenant /],
      [['bogus'], /^svc: unknown command 'bogus'/],
      [['tenant', 'bogus'], /unknown command 'bogus'/],
      [['tenant', 'create'], /missing required argument 'handle'[\s\S]*svc tenant create --help/],
      [['tenant', 'create', 'a', 'b'], /too many arguments/],
      [['tenant', 'list', '--bogus'], /unknown option '--bogus'/],
      [['key', 'create'], /required option '--tenant <handle>' not specified/],
    ];
    for (const [args, message] of usages) {
      const { code, stdout, stderr } = await runInProcess(args, { SVC_DATA_DIR: dataDir });
      assert.equal(code, 2, args.join(' '));
      assert.equal(stdout, '');
      assert.match(stderr, message);
    }
  });

  it('rejects an empty argument and hints at an unset shell variable', async () => {
    // Nothing listens on port 1: no request is sent.
    const env = { SVC_DATA_DIR: dataDir, SVC_API_KEY: 'x', SVC_BASE_URL: 'http://127.0.0.1:1' };
    const usages: [string[], string][] = [
      [['execution', 'get', ''], '<execution_id>'],
      [['execution', 'cancel', ''], '<execution_id>'],
      [['execution', 'pauses', ''], '[execution_id]'],
      [['execution', 'resume', 'x', '', '--default'], '<pause_id>'],
      [['flow', 'diagram', ''], '<graph_id>'],
      [['flow', 'invoke', '', '--input', '{}'], '<graph_id>'],
      [['client', 'get', ''], '<client>'],
      [['client', 'create', 'a', 'acme/x/1.0.0/y', ''], '[members]'],
      [['package', 'list', ''], '[package]'],
      [['package', 'publish', ''], '<dir>'],
      [['tenant', 'create', ''], '<handle>'],
    ];
    for (const [args, argument] of usages) {
      const { code, stdout, stderr } = await runInProcess(args, env);
      assert.deepEqual([code, stdout], [2, ''], args.join(' '));
      const [error, advice] = stderr.split('\n');
      assert.equal(error, `svc: ${argument} is empty: is a shell variable unset?`);
      assert.equal(advice, `Run "svc ${args.slice(0, 2).join(' ')} --help" for usage.`);
    }
  });

  it('exits silently when the reader of its output exits', async () => {
    // The reader ends before the command has started.
    const { stdout, stderr } = await promisify(execFile)('bash', [
      '-c',
      'set -o pipefail; "$0" --help | :',
      svc,
    ]);
    assert.deepEqual([stdout, stderr], ['', '']);
  });

  it('reports that its output cannot be written', async () => {
    const args = ['-c', '"$0" completion bash > /dev/full', svc];
    await assert.rejects(promisify(execFile)('bash', args), (error: { code?: number; stderr?: string }) => {
      assert.deepEqual(
        [error.code, error.stderr],
        [1, 'svc: cannot write the result: ENOSPC: no space left on device, write\n'],
      );
      return true;
    });
  });

  it('exits with 2 and lists every configuration error', async () => {
    const { code, stderr } = await run(['tenant', 'list'], { SVC_PORT: 'x', SVC_SYNC: 'y' });
    assert.equal(code, 2);
    assert.match(
      stderr,
      /^svc: the configuration is invalid:\n  SVC_PORT must be .*\n  SVC_SYNC must be .*\n$/,
    );
  });

  it('exits with 1 and no stack when the database cannot be opened', async () => {
    const file = path.join(dataDir, 'file');
    await writeFile(file, '');
    const { code, stdout, stderr } = await run(['tenant', 'create', 'acme'], {
      SVC_DATA_DIR: path.join(file, 'x'),
    });
    assert.equal(code, 1);
    assert.equal(stdout, '');
    assert.match(
      stderr,
      /^svc: cannot create the data folder .*: set SVC_DATA_DIR to a folder that svc may write\n$/,
    );
  });

  it('explains how to recover a damaged database', async () => {
    await writeFile(path.join(dataDir, 'svc.db'), 'not a database'.repeat(100));
    const { code, stderr } = await run(['tenant', 'list'], { SVC_DATA_DIR: dataDir });
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^svc: cannot open the database .*: the file is damaged, restore a backup with svc restore\n$/,
    );
  });

  it('refuses to serve when the data folder cannot be created, with either database', async () => {
    // Nothing listens on port 1: the folder is checked before the database.
    for (const url of ['', 'postgres://svc@127.0.0.1:1/svc']) {
      const { code, stdout, stderr } = await run(['serve'], {
        SVC_DATA_DIR: '/proc/svc/data',
        SVC_DATABASE_URL: url,
        SVC_PORT: '0',
      });
      assert.equal(code, 1);
      assert.equal(stdout, '');
      assert.match(
        stderr,
        /^svc: cannot create the data folder \/proc\/svc\/data \(ENOENT.*\): set SVC_DATA_DIR .*\n$/,
      );
    }
  });
});
