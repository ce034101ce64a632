import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { loadSecretKey } from '../../../../service/access/secrets/secret-key.ts';
import { createSecretStore } from '../../../../service/access/secrets/secret-store.ts';
import { systemClock } from '../../../../service/clock.ts';
import { openDatabase } from '../../../../service/store/open-database.ts';
import { findTenantByHandle } from '../../../../service/store/tenants.ts';
import { type Run, runInProcess } from '../../../support/run-svc.ts';

describe('svc secret', () => {
  let dataDir: string;
  beforeEach(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), 'svc-cli-'));
    await runInProcess(['tenant', 'create', 'acme'], { SVC_DATA_DIR: dataDir });
  });
  afterEach(() => rm(dataDir, { recursive: true }));

  const run = (args: string[], stdin = ''): Promise<Run> =>
    runInProcess(['secret', ...args, '--tenant', 'acme'], { SVC_DATA_DIR: dataDir }, stdin);

  async function value(name: string): Promise<string | undefined> {
    const db = await openDatabase({ dataDir });
    try {
      const key = await loadSecretKey({ secretKey: null, dataDir });
      const tenant = (await findTenantByHandle(db.knex, 'acme'))!;
      const secrets = createSecretStore({ tx: db.knex, clock: systemClock, key });
      return (await secrets.values(tenant.id, [name]))[name];
    } finally {
      await db.close();
    }
  }

  it('set stores the value from stdin without printing it', async () => {
    const { code, stdout, stderr } = await run(['set', 'API_TOKEN'], 's3cret\n');
    assert.deepEqual([code, stdout, stderr], [0, '', 'stored secret API_TOKEN for acme\n']);
    assert.equal(await value('API_TOKEN'), 's3cret');
    await run(['set', 'API_TOKEN'], 'two lines\n\n');
    assert.equal(await value('API_TOKEN'), 'two lines\n');
  });

  it('list shows names and times, delete removes a secret', async () => {
    await run(['set', 'B'], 'value-b');
    await run(['set', 'A'], 'value-a');
    const { stdout } = await run(['list', '--json']);
    const listed = JSON.parse(stdout) as { name: string }[];
    assert.deepEqual(
      listed.map(({ name }) => name),
      ['A', 'B'],
    );
    assert.ok(!stdout.includes('value'));
    assert.equal((await run(['delete', 'A'])).code, 0);
    const again = await run(['delete', 'A']);
    assert.equal(again.code, 1);
    assert.match(again.stderr, /acme has no secret "A"/);
    assert.equal(await value('A'), undefined);
  });

  it('arm allows development runs to use a secret, for an hour by default', async () => {
    await run(['set', 'A'], 'x');
    const armed = async (): Promise<{ armed: boolean; armed_expires_at: string | null }> => {
      const [secret] = JSON.parse((await run(['list', '--json'])).stdout) as [
        Awaited<ReturnType<typeof armed>>,
      ];
      return secret;
    };
    assert.deepEqual([(await armed()).armed, (await armed()).armed_expires_at], [false, null]);
    assert.equal((await run(['arm', 'A'])).code, 0);
    const left = Date.parse((await armed()).armed_expires_at ?? '') - Date.now();
    assert.ok(left > 3_500_000 && left <= 3_600_000, String(left));
    await run(['set', 'A'], 'another value');
    assert.equal((await armed()).armed, true);
    assert.equal((await run(['arm', 'A', '--minutes', '10080'])).code, 0);
    for (const minutes of ['10081', '-1', '1.5', 'x']) {
      const { code, stderr } = await run(['arm', 'A', `--minutes=${minutes}`]);
      assert.equal(code, 2);
      assert.match(stderr, /--minutes must be a whole number from 0 to 10080/);
    }
    assert.equal((await run(['arm', 'A', '--minutes', '0'])).code, 0);
    assert.equal((await armed()).armed, false);
    const missing = await run(['arm', 'B']);
    assert.equal(missing.code, 1);
    assert.match(missing.stderr, /acme has no secret "B"/);
  });

  it('set rejects invalid names and empty or large values', async () => {
    for (const [args, stdin, message] of [
      [['set', '1A'], 'x', /"1A" is not a valid secret name/],
      [['set', 'A-B'], 'x', /is not a valid secret name/],
      [['set', 'A'], '\n', /stdin is empty/],
      [['set', 'A'], 'x'.repeat(65_537), /larger than 65536 bytes/],
    ] as const) {
      const { code, stderr } = await run([...args], stdin);
      assert.equal(code, 2);
      assert.match(stderr, message);
    }
    assert.equal((await run(['set', 'A'], 'x'.repeat(65_536))).code, 0);
  });
});
