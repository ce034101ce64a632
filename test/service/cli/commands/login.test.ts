import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runInProcess, runSvc, svc } from '../../../support/run-svc.ts';
import { type ServeProcess, startServeProcess } from '../../../support/serve-process.ts';
import { suiteNeeds } from '../../../support/toolchains.ts';
import { until } from '../../../support/until.ts';

suiteNeeds('processes', 'svc login', () => {
  let folder: string;
  let dataDir: string;
  let file: string;
  let service: ServeProcess;
  /** The user, who has no key and no data folder. */
  let user: Record<string, string>;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'svc-login-'));
    dataDir = path.join(folder, 'data');
    service = await startServeProcess({ SVC_DATA_DIR: dataDir });
    const config = path.join(folder, 'config');
    file = path.join(config, 'svc', 'credentials.json');
    user = { XDG_CONFIG_HOME: config, SVC_BASE_URL: service.url, SVC_API_KEY: '' };
    await operator('tenant', 'create', 'acme');
  });
  after(async () => {
    await service.kill();
    await rm(folder, { recursive: true });
  });

  const operator = async (...args: string[]) => {
    const run = await runSvc(args, { env: { SVC_DATA_DIR: dataDir } });
    return { ...run, all: run.stdout + run.stderr };
  };

  /** Starts a login and returns what it has printed, with the code. */
  async function beginLogin(): Promise<{ exited: Promise<[number]>; code: string; printed: () => string }> {
    const child = spawn(svc, ['login'], {
      cwd: folder,
      env: { ...process.env, ...user },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    // It may end before the command that approves it does.
    const exited = once(child, 'exit') as Promise<[number]>;
    let stderr = '';
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    await until(() => stderr.includes('waiting for the approval') || child.exitCode !== null);
    const code = /svc login approve (\S+) --tenant/.exec(stderr)?.[1] ?? assert.fail(stderr);
    return { exited, code, printed: () => stderr };
  }

  it('stores an approved key, which commands use until svc logout', async () => {
    const { exited, code, printed } = await beginLogin();
    const approved = await operator('login', 'approve', code, '--tenant', 'acme');
    assert.match(
      approved.stderr,
      new RegExp(
        `^approved the login ${code}, which began at \\S+Z from 127\\.0\\.0\\.1: it receives a full key of acme named cli$`,
        'm',
      ),
    );
    assert.equal(approved.code, 0);
    const [exit] = await exited;
    assert.equal(exit, 0, printed());
    assert.match(printed(), new RegExp(`logged in to ${service.url} as acme; the key is in ${file}\\n$`));

    assert.equal((await stat(file)).mode & 0o777, 0o600);
    assert.equal((await stat(path.dirname(file))).mode & 0o777, 0o700);
    const { key, ...named } = JSON.parse(await readFile(file, 'utf8')) as Record<string, string>;
    assert.ok(!printed().includes(key ?? ''));
    assert.match(
      (await operator('key', 'list', '--tenant', 'acme')).stdout,
      /^\w{26} {2}full {2}cli .* active$/m,
    );

    // The login contains the URL of its service, so it also works without SVC_BASE_URL.
    for (const env of [user, { ...user, SVC_BASE_URL: '' }]) {
      const used = await runInProcess(['execution', 'pauses', '--json'], env);
      assert.deepEqual([used.code, JSON.parse(used.stdout)], [0, { pauses: [] }], used.stderr);
    }
    const preferred = await runInProcess(['execution', 'pauses'], { ...user, SVC_API_KEY: '0'.repeat(64) });
    assert.match(preferred.stderr, /refused the API key: unauthorized/);
    const elsewhere = await runInProcess(['execution', 'pauses', '--url', 'http://127.0.0.1:1'], user);
    assert.deepEqual([elsewhere.code, elsewhere.stdout], [1, '']);
    assert.match(
      elsewhere.stderr,
      new RegExp(
        `no API key for http://127\\.0\\.0\\.1:1 \\(the login is for ${service.url}\\): .*svc login`,
      ),
    );

    const out = await runInProcess(['logout'], user);
    assert.equal(out.code, 0);
    assert.match(
      out.stderr,
      new RegExp(`^removed ${file}\\nthe key stays valid until .* key revoke ${named.key_id}`),
    );
    await assert.rejects(stat(file), { code: 'ENOENT' });
    const keyless = await runInProcess(['execution', 'pauses'], user);
    assert.match(keyless.stderr, /^svc: no API key: .*, or run svc login\n$/);
    const again = await runInProcess(['logout'], user);
    assert.deepEqual([again.code, again.stderr], [0, 'there is no login to remove\n']);
  });

  it('refuses unknown codes and tenants', async () => {
    const wrong = await operator('login', 'approve', 'BBBB-BBBB', '--tenant', 'acme');
    assert.equal(wrong.code, 1);
    const place = `in the data folder ${dataDir}: it may be mistyped, expired or used, or belong to a service with other data`;
    const [error] = wrong.stderr.split('\n').filter((line) => line.startsWith('svc: '));
    assert.equal(
      error,
      `svc: no login waits with the code BBBB-BBBB ${place}; run svc login again for a new one`,
    );
    const foreign = await operator('login', 'approve', 'BBBB-BBBB', '--tenant', 'nobody');
    assert.match(foreign.stderr, /^svc: tenant "nobody" does not exist/m);
  });

  it('reports an unreachable service, and a missing folder for the key', async () => {
    const env = { ...user, SVC_BASE_URL: 'http://127.0.0.1:1' };
    const { code, stderr } = await runInProcess(['login'], env);
    assert.equal(code, 1);
    assert.match(stderr, /^svc: cannot reach http:\/\/127\.0\.0\.1:1 /);
    const homeless = await runInProcess(['login'], { SVC_BASE_URL: service.url });
    assert.deepEqual(
      [homeless.code, homeless.stderr],
      [1, 'svc: there is no folder for the key of a login: set HOME or XDG_CONFIG_HOME\n'],
    );
  });

  it('reports a damaged credentials file, which svc logout removes', async () => {
    await mkdir(path.dirname(file), { recursive: true });
    for (const text of ['', 'null', '{"url": "http://127.0.0.1:1"}']) {
      await writeFile(file, text);
      const { code, stderr } = await runInProcess(['execution', 'pauses'], user);
      assert.deepEqual(
        [code, stderr],
        [1, `svc: ${file} is damaged: run svc login again, or svc logout to remove it\n`],
      );
    }
    const out = await runInProcess(['logout'], user);
    assert.deepEqual([out.code, out.stderr], [0, `removed ${file}\n`]);
  });
});
