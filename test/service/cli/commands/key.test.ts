import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createAuthenticator } from '../../../../service/access/gate/authenticate.ts';
import { createRateLimits } from '../../../../service/access/rate-limits.ts';
import { createTokenBuckets } from '../../../../service/access/token-buckets.ts';
import type { Principal } from '../../../../service/access/principal.ts';
import { createApiKey } from '../../../../service/access/create-api-key.ts';
import { systemClock } from '../../../../service/clock.ts';
import { createIds } from '../../../../service/ids.ts';
import { openDatabase } from '../../../../service/store/open-database.ts';
import { listTenants } from '../../../../service/store/tenants.ts';
import { type Run, runInProcess, runSvc } from '../../../support/run-svc.ts';
import { suiteNeeds } from '../../../support/toolchains.ts';

describe('svc key', () => {
  let dataDir: string;
  beforeEach(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), 'svc-cli-'));
    await runInProcess(['tenant', 'create', 'acme'], { SVC_DATA_DIR: dataDir });
  });
  afterEach(() => rm(dataDir, { recursive: true }));

  const run = (...args: string[]): Promise<Run> => runInProcess(['key', ...args], { SVC_DATA_DIR: dataDir });

  /** Returns the principal that the service derives from the key. */
  async function bearer(key: string): Promise<Principal> {
    const db = await openDatabase({ dataDir });
    try {
      const rates = createRateLimits(createTokenBuckets(systemClock));
      const keyUse = { note: () => undefined };
      const authenticate = createAuthenticator({
        db,
        clock: systemClock,
        rates,
        keyUse,
        onError: assert.ifError,
      });
      return await authenticate(`Bearer ${key}`, '127.0.0.1');
    } finally {
      await db.close();
    }
  }

  suiteNeeds('processes', 'as a process', () => {
    it('create prints only a valid key to stdout', async () => {
      const { code, stdout, stderr } = await runSvc(['key', 'create', '--tenant', 'acme'], {
        env: { SVC_DATA_DIR: dataDir },
      });
      assert.equal(code, 0);
      assert.match(stdout, /^[0-9a-f]{64}\n$/);
      assert.match(stderr, /^created key \w{26} for acme: store it now, it cannot be shown again\n$/);
      const { tenant, key } = await bearer(stdout.trim());
      assert.equal(tenant.handle, 'acme');
      assert.deepEqual([key.name, key.kind, key.scopes], ['cli', 'full', ['read', 'write', 'invoke']]);
    });
  });

  it('create accepts a name, scopes and an expiry', async () => {
    const name = 'ci'.padEnd(200, '.');
    const options = ['--name', name, '--scopes', 'invoke, read', '--expires', '2099-01-01T00:00:00Z'];
    const { stdout } = await run('create', '--tenant', 'acme', ...options, '--json');
    const made = JSON.parse(stdout) as Record<string, unknown>;
    assert.equal(made.expires_at, '2099-01-01T00:00:00.000Z');
    const { key } = await bearer(String(made.key));
    assert.deepEqual([key.id, key.name, key.scopes], [made.id, name, ['read', 'invoke']]);
  });

  it('create rejects invalid scopes, times, names and tenants', async () => {
    for (const [options, code, message] of [
      [
        ['--tenant', 'acme', '--scopes', 'read,admin'],
        2,
        /--scopes must be one or more of read, write, invoke/,
      ],
      [['--tenant', 'acme', '--scopes', ''], 2, /--scopes must be one or more of/],
      [
        ['--tenant', 'acme', '--expires', 'tomorrow'],
        2,
        /--expires must be an ISO 8601 time such as 2\d{3}-/,
      ],
      [['--tenant', 'acme', '--expires', '2099-02-30'], 2, /--expires must be an ISO 8601 time/],
      [['--tenant', 'acme', '--name', 'n'.repeat(201)], 2, /--name must have 1 to 200 char/],
      [['--tenant', 'acme', '--name', ''], 2, /--name must have 1 to 200 char/],
      [['--tenant', 'acme', '--expires', '2001-01-01'], 2, /--expires must be in the future/],
      [['--tenant', 'nobody'], 1, /create it with svc tenant create nobody/],
    ] as const) {
      const result = await run('create', ...options);
      assert.deepEqual([result.code, result.stdout], [code, ''], options.join(' '));
      assert.match(result.stderr, message);
    }
  });

  it('list shows scopes and state, but not the key', async () => {
    const { stdout: secret } = await run('create', '--tenant', 'acme', '--name', 'a\u001b[31mb');
    const { stdout } = await run('list', '--tenant', 'acme');
    assert.ok(!stdout.includes(secret.trim()));
    const hint = secret.trim().slice(-4);
    assert.match(
      stdout,
      new RegExp(
        `^\\w{26} {2}full {2}a\\\\u001b\\[31mb {2}\\.{3}${hint} {2}read,write,invoke {2}active$`,
        'm',
      ),
    );
  });

  it('list shows app keys, with their kind', async () => {
    const { stdout: secret } = await run('create', '--tenant', 'acme');
    const db = await openDatabase({ dataDir });
    const [tenant] = await listTenants(db.knex);
    const made = { tenantId: tenant?.id ?? '', name: 'Shop', kind: 'app', scopes: ['invoke'] } as const;
    const parts = { ids: createIds(systemClock), clock: systemClock };
    const { key } = await createApiKey(db.knex, parts, made);
    await db.close();
    const { stdout } = await run('list', '--tenant', 'acme');
    assert.match(stdout, /^ID +KIND {2}NAME +KEY +SCOPES +STATE\n/);
    assert.match(stdout, new RegExp(`^${key.id} {2}app {3}Shop {2}\\.{3}${key.keyHint} {2}invoke `, 'm'));
    assert.match(stdout, new RegExp(` {2}full {2}cli {3}\\.{3}${secret.trim().slice(-4)} `));
    const listed = JSON.parse((await run('list', '--tenant', 'acme', '--json')).stdout) as { kind: string }[];
    assert.deepEqual(listed.map(({ kind }) => kind).sort(), ['app', 'full']);
  });

  it('revoke takes effect immediately and is idempotent', async () => {
    const { stdout } = await run('create', '--tenant', 'acme', '--json');
    const { id, key } = JSON.parse(stdout) as { id: string; key: string };
    const first = await run('revoke', id, '--json');
    assert.equal(first.code, 0);
    await assert.rejects(bearer(key), /unauthorized/);
    assert.equal((await run('revoke', id, '--json')).stdout, first.stdout);
  });

  it('revoke explains how to find the id of a key', async () => {
    const { code, stderr } = await run('revoke', 'nope');
    assert.equal(code, 1);
    assert.equal(stderr, 'svc: key "nope" does not exist: find its id with svc key list --tenant <handle>\n');
  });
});
