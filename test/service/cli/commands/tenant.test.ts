import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Run, runInProcess, runSvc } from '../../../support/run-svc.ts';
import { suiteNeeds } from '../../../support/toolchains.ts';

suiteNeeds('processes', 'svc tenant', () => {
  let dataDir: string;
  beforeEach(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), 'svc-cli-'));
  });
  afterEach(() => rm(dataDir, { recursive: true }));

  const run = (...args: string[]): Promise<Run> =>
    runSvc(['tenant', ...args], { env: { SVC_DATA_DIR: dataDir } });

  const runHere = (...args: string[]): Promise<Run> =>
    runInProcess(['tenant', ...args], { SVC_DATA_DIR: dataDir });

  async function json(...args: string[]): Promise<Record<string, unknown>> {
    const { code, stdout, stderr } = await runHere(...args, '--json');
    assert.equal(stderr, '');
    assert.equal(code, 0);
    return JSON.parse(stdout) as Record<string, unknown>;
  }

  it('create prints the tenant as text and as JSON', async () => {
    const { code, stdout, stderr } = await run('create', 'acme-labs2');
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(stdout, /^handle {2}acme-labs2\nid {6}[0-9A-Z]{26}\nstatus {2}active\nlimits {2}default\n$/);
    const made = await json('create', 'other');
    assert.deepEqual(Object.keys(made), ['id', 'handle', 'status', 'limits', 'created_at']);
    assert.match(String(made.created_at), /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  });

  it('create rejects invalid and taken handles', async () => {
    for (const handle of ['Acme', 'a_b', 'a--b', '-a', 'a-', 'ä', 'a'.repeat(40)]) {
      const { code, stdout, stderr } = await runHere('create', '--', handle);
      assert.deepEqual([code, stdout], [2, ''], handle);
      assert.match(stderr, /^svc: ".*" is not a valid handle: use at most 39 lower-case letters and digits/);
    }
    assert.equal((await runHere('create', 'a'.repeat(39))).code, 0);
    const again = await runHere('create', 'a'.repeat(39));
    assert.equal(again.code, 1);
    assert.match(again.stderr, /^svc: tenant "a+" already exists: .*svc key create --tenant a+\n$/);
  });

  it('limits changes only the given limits, and restores defaults', async () => {
    await runHere('create', 'acme');
    const set = await json(
      'limits',
      'acme',
      '--rps',
      '2.5',
      '--invocation-burst',
      '7',
      '--daily-executions',
      '0',
    );
    assert.deepEqual(set.limits, { rps: 2.5, invocationBurst: 7, dailyExecutions: 0 });
    const changed = await json('limits', 'acme', '--rps', 'default', '--inflight', '3');
    assert.deepEqual(changed.limits, { invocationBurst: 7, dailyExecutions: 0, inflight: 3 });
    assert.deepEqual((await json('limits', 'acme')).limits, changed.limits);
  });

  it('limits shows all effective limits', async () => {
    await runHere('create', 'acme');
    const { code, stdout } = await runHere('limits', 'acme', '--rps', '2.5', '--daily-executions', '0');
    assert.equal(code, 0);
    const lines = stdout
      .trimEnd()
      .split('\n')
      .slice(2)
      .map((line) => line.split(/ {2,}/));
    assert.deepEqual(lines, [
      ['status', 'active'],
      ['rps', '2.5'],
      ['burst', '200 (default)'],
      ['invocation-rps', '5 (default)'],
      ['invocation-burst', '10 (default)'],
      ['daily-invocations', '2000 (default)'],
      ['daily-executions', '0'],
      ['inflight', 'unlimited (default)'],
      ['used today', '0 invocations, 0 executions'],
    ]);
  });

  it('limits rejects invalid numbers and changes nothing', async () => {
    await runHere('create', 'acme');
    for (const [flag, value] of [
      ['--rps', '0'],
      ['--rps', '-1'],
      ['--rps', 'Infinity'],
      ['--burst', '1.5'],
      ['--burst', '0'],
      ['--inflight', '1e3'],
      ['--rps', '1000000000.1'],
      ['--invocation-burst', '9007199254740992'],
      ['--daily-invocations', ''],
    ] as const) {
      const { code, stderr } = await runHere('limits', 'acme', '--daily-executions', '5', `${flag}=${value}`);
      assert.equal(code, 2, `${flag} ${value}`);
      assert.ok(stderr.startsWith(`svc: ${flag} must be `), stderr);
    }
    for (const [flag, value, what] of [
      ['--inflight', '0', 'a whole number from 1 to 9007199254740991, or "default" for no limit'],
      ['--burst', '1.5', 'a whole number from 1 to 9007199254740991, or "default"'],
      ['--daily-executions', '1e16', 'a whole number from 0 to 9007199254740991, or "default"'],
      ['--rps', '1000000001', 'a number above 0 and at most 1000000000, or "default"'],
    ] as const) {
      const { stderr } = await runHere('limits', 'acme', flag, value);
      assert.equal(stderr, `svc: ${flag} must be ${what}, not "${value}"\n`);
    }
    assert.deepEqual((await json('limits', 'acme')).limits, {});
    const most = ['--rps', '1000000000', '--burst', '9007199254740991'];
    const { limits } = await json('limits', 'acme', ...most);
    assert.deepEqual(limits, { rps: 1e9, burst: Number.MAX_SAFE_INTEGER });
  });

  it('suspend and resume change the status, and list shows it', async () => {
    await runHere('create', 'acme');
    await runHere('create', 'other');
    assert.equal((await json('suspend', 'acme')).status, 'suspended');
    const { stdout } = await runHere('list');
    assert.match(
      stdout,
      /^HANDLE {2}STATUS {5}ID\nacme {4}suspended {2}\w{26}\nother {3}active {5}\w{26}\n$/,
    );
    assert.equal((await json('resume', 'acme')).status, 'active');
    await runHere('limits', 'acme', '--invocation-rps', '7');
    assert.match((await runHere('suspend', 'acme')).stdout, /^limits +invocation-rps=7$/m);
  });

  it('explains how to create a missing tenant', async () => {
    await runHere('create', 'other');
    for (const verb of ['limits', 'suspend', 'resume']) {
      const { code, stdout, stderr } = await runHere(verb, 'acme');
      assert.deepEqual([code, stdout], [1, '']);
      assert.equal(stderr, 'svc: tenant "acme" does not exist: create it with svc tenant create acme\n');
    }
  });
});
