import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { postgresServer } from '../support/postgres-server.ts';
import { bareEnv, program, type ServeProcess, startServeProcess } from '../support/serve-process.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { suiteNeeds } from '../support/toolchains.ts';

const minuteMs = 60_000;

/** A module that sets the clock of a process. */
function clockAhead(ms: number): string {
  const source = `
    const system = Date;
    globalThis.Date = class extends system {
      constructor(...given) { given.length > 0 ? super(...given) : super(system.now() + ${ms}); }
      static now() { return system.now() + ${ms}; }
    };`;
  return `data:text/javascript,${encodeURIComponent(source)}`;
}

suiteNeeds('postgres', 'replicas whose clocks differ', function () {
  this.timeout(300_000);
  const services: ServeProcess[] = [];
  const folders: TemporaryFolder[] = [];
  after(async () => {
    await Promise.all(services.map((service) => service.kill()));
    await Promise.all(folders.map((folder) => folder.remove()));
  });

  it('agree on the time of the database', async () => {
    const folder = await temporaryFolder({});
    folders.push(folder);
    const env = {
      SVC_DATABASE_URL: await (await postgresServer()).createDatabase(),
      SVC_DATA_DIR: folder.path,
      SVC_METRICS_PORT: '0',
      SVC_SECRET_KEY: 'a'.repeat(64),
    };
    const svc = async (...args: string[]): Promise<string> => {
      const options = { env: { ...bareEnv(), ...env } };
      return (await promisify(execFile)(process.execPath, [program, ...args], options)).stdout.trim();
    };
    await svc('migrate');
    await svc('tenant', 'create', 'acme');
    const newKey = async (...options: string[]): Promise<string> =>
      /\S{64,}/.exec(await svc('key', 'create', '--tenant', 'acme', '--name', 'test', ...options))?.[0] ?? '';
    const key = await newKey();
    const ahead = ['--import', clockAhead(7 * minuteMs)];
    services.push(
      await startServeProcess({ ...env, SVC_LOG_LEVEL: 'warn' }),
      await startServeProcess({ ...env, SVC_LOG_LEVEL: 'warn' }, [process.execPath, ...ahead, program]),
    );
    const [right, wrong] = services as [ServeProcess, ServeProcess];
    const send = async (of: ServeProcess, secret: string, path: string, body?: object) =>
      fetch(`${of.url}${path}`, {
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
      });

    const created = await send(wrong, key, '/api/v1/clients', { name: 'Shop' });
    assert.equal(created.status, 201, await created.clone().text());
    const { created_at: createdAt } = (await created.json()) as { created_at: string };
    assert.ok(Date.parse(createdAt) < Date.now() + minuteMs, createdAt);

    const inFiveMinutes = new Date(Date.now() + 5 * minuteMs).toISOString();
    const expiring = await newKey('--expires', inFiveMinutes);
    assert.equal((await send(wrong, expiring, '/api/v1/clients')).status, 200);
    const seconds = Number(/"seconds":(-?\d+)/.exec(wrong.stderr())?.[1]);
    // The answer of the database may take seconds, and half of that time is unknown.
    assert.ok(Math.abs(seconds - (7 * minuteMs) / 1_000) <= 5, wrong.stderr());
    assert.doesNotMatch(right.stderr(), /"seconds"/);
  });
});
