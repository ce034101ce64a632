import assert from 'node:assert/strict';
import { firstExecutionId } from '../../service/ids.ts';
import { createKeyUse } from '../../service/access/key-use.ts';
import type { SnapshotMember } from '../../service/clients/client-snapshot.ts';
import { loadDescriptorSets } from '../../service/clients/version-source.ts';
import type { CompiledGraph } from '../../service/engine/graph/compiled-graph.ts';
import { drawSvg } from '../../service/engine/graph/diagram/draw-svg.ts';
import { apiKeys } from '../../service/store/api-keys.ts';
import { listRunPauses } from '../../service/store/list-pauses.ts';
import { insertPackageVersion } from '../../service/store/package-versions.ts';
import { insertPackage, packages as packageTable } from '../../service/store/packages.ts';
import {
  deleteExpiredLogins,
  deleteOldJournals,
  deleteOldKeys,
  deleteOldUsage,
} from '../../service/store/retention.ts';
import { insertRecords } from '../../service/store/records.ts';
import { tenants } from '../../service/store/tenants.ts';
import { threadMs } from '../../service/work/thread-time.ts';
import { type Caller, type RunningService, startService } from '../support/running-service.ts';
import {
  sampleKey,
  samplePackage,
  sampleTenant,
  sampleVersion,
  someTime,
} from '../support/sample-records.ts';
import { assertTurn, watchTurns } from '../support/turn-watch.ts';

/** Processor time of the main thread in which nothing else is answered. */
const maxTurnMs = 100;

describe('large reads and sweeps', () => {
  let service: RunningService;
  let acme: Caller;
  beforeEach(async () => {
    service = await startService();
    acme = await service.tenant('acme');
  });
  afterEach(() => service.stop());

  /** Runs `work`, and checks its longest turn. */
  const inShortTurns = async <T>(work: () => Promise<T>): Promise<T> => {
    const watch = watchTurns();
    let longestMs = 0;
    const result = await work().finally(() => {
      longestMs = watch.stop();
    });
    assertTurn(longestMs, maxTurnMs / 2);
    return result;
  };
  /** Reads a body without parsing it, which would be a long turn of this test. */
  const readText = async (path: string, key = acme.key): Promise<string> => {
    const answer = await fetch(service.url + path, { headers: { Authorization: `Bearer ${key}` } });
    assert.equal(answer.status, 200);
    return Buffer.concat(await Array.fromAsync(answer.body as AsyncIterable<Uint8Array>)).toString();
  };
  const withoutVersions = (text: string): string => text.replace(/"versions":\[.*\]/s, '"versions":[]');
  const noBlobs = { remove: () => Promise.resolve() };

  it('do not block the event loop while the histories of many tenants are swept', async function () {
    this.timeout(20_000);
    const { knex } = service.db;
    await insertRecords(
      knex,
      tenants,
      Array.from({ length: 3_000 }, () => sampleTenant()),
    );
    // It took 350 to 430.
    assert.equal(await inShortTurns(() => deleteOldJournals(knex, noBlobs, someTime)), 0);
  });

  it('do not block the event loop while long journals are swept', async function () {
    this.timeout(20_000);
    const { knex } = service.db;
    await knex.raw(
      `insert into journal (tenant_id, execution_id, seq, body, at)
         with recursive numbers(n) as (select 0 union all select n + 1 from numbers where n < 179999)
         select ?, ? || (1000 + n % 30), n / 30, '[]', 0 from numbers`,
      [acme.tenant.id, firstExecutionId(someTime - 1_000)],
    );
    assert.equal(await inShortTurns(() => deleteOldJournals(knex, noBlobs, someTime)), 30);
    assert.deepEqual(await knex('journal').where({ tenant_id: acme.tenant.id }), []);
  });

  it('do not block the event loop while many idempotency keys are swept', async function () {
    this.timeout(20_000);
    const { knex } = service.db;
    await knex.raw(
      `insert into idempotency (tenant_id, key_hash, execution_id, created_at)
         with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 300000)
         select ?, 'hash' || n, 'e', ? from numbers`,
      [acme.tenant.id, someTime - 1],
    );
    await inShortTurns(() => deleteOldKeys(knex, someTime));
    // The newest entry remains. The service may run its own sweep at the same time.
    assert.equal((await knex('idempotency')).length, 1);
  });

  it('do not block the event loop while the pauses of a run are read', async function () {
    this.timeout(20_000);
    const { knex } = service.db;
    const text = 'q'.repeat(65_536);
    await knex.raw(
      `insert into pauses (tenant_id, id, execution_id, seq, node, status, question, resume_schema, created_at, expires_at, resume_value)
         with recursive numbers(n) as (select 1000 union all select n + 1 from numbers where n < 2499)
         select ?, 'p' || n, 'run', n, 'ask', 'RESUMED', ?, 'M', 0, 0, ? from numbers`,
      [acme.tenant.id, text, text],
    );
    const pauses = await inShortTurns(() => listRunPauses(knex, acme.tenant.id, 'run'));
    const shown = 64;
    assert.deepEqual(
      pauses.map(({ id, question, resumeValue }) => [id, question, resumeValue]),
      pauses.map((_, n) => [`p${1_000 + n}`, ...(n < shown ? [text, text] : ['', null])]),
    );
    assert.equal(pauses.length, 1_500);
  });

  it('do not block the event loop while the uses of many keys are stored', async function () {
    this.timeout(20_000);
    const { db } = service;
    const keys = Array.from({ length: 5_000 }, () => sampleKey(acme.tenant.id));
    await insertRecords(db.knex, apiKeys, keys);
    const uses = createKeyUse({ db, onError: assert.ifError });
    for (const key of keys) uses.note(key, someTime);
    await inShortTurns(() => uses.close());
    const touched = db.knex(apiKeys.name).where({ last_used_at: someTime }).count({ count: '*' }).first();
    assert.deepEqual(await touched, { count: keys.length });
  });

  it('do not block the event loop while the descriptors of many versions are read', async function () {
    this.timeout(20_000);
    const { knex } = service.db;
    const owner = samplePackage(acme.tenant.id);
    await insertPackage(knex, owner);
    const versions = Array.from({ length: 3_000 }, (_, n) => sampleVersion(owner, { version: `1.${n}.0` }));
    for (const version of versions) await insertPackageVersion(knex, version);
    const members = versions.map(({ tenantId, id: versionId }) => ({
      type: 'node',
      source: { tenantId, versionId },
    }));
    const sets = await inShortTurns(() => loadDescriptorSets(knex, members as unknown as SnapshotMember[]));
    assert.equal(sets.size, versions.length);
  });

  /** Adds versions without content to all packages of a tenant. */
  const addVersions = async (tenantId: string, count: number): Promise<void> => {
    const { knex } = service.db;
    await knex.raw(
      `insert into package_versions (tenant_id, id, package_id, version, description, content_hash, protos, descriptor_set, created_at)
         with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${count})
         select tenant_id, 'v' || n || id, id, '1.' || (n * 7919 % ${count + 1}) || '.0', '', '', '{}', x'', n
         from packages, numbers where tenant_id = ?`,
      [tenantId],
    );
  };

  it('do not block the event loop while packages with many versions are listed', async function () {
    this.timeout(20_000);
    const many = await service.tenant('many');
    const packages = Array.from({ length: 100 }, (_, n) =>
      samplePackage(many.tenant.id, { handle: 'many', name: `p${n}`, visibility: 'public' }),
    );
    await insertRecords(service.db.knex, packageTable, packages);
    await addVersions(many.tenant.id, 300);
    await many.get('/docs');
    for (const path of ['/api/v1/packages', '/docs']) {
      // They took 160 to 220.
      const { status, body } = await inShortTurns(() => many.get(path));
      assert.equal(status, 200);
      assert.match(JSON.stringify(body), /1\.300\.0/);
    }
  });

  it('do not block the event loop while a package with 20,000 versions is read', async function () {
    this.timeout(20_000);
    const versioned = await service.tenant('versioned');
    await insertPackage(
      service.db.knex,
      samplePackage(versioned.tenant.id, { handle: 'versioned', name: 'p' }),
    );
    await addVersions(versioned.tenant.id, 20_000);
    // It took 110 to 240.
    const text = await inShortTurns(() => readText('/api/v1/packages/versioned/p', versioned.key));
    const { name, latest_version } = JSON.parse(withoutVersions(text)) as Record<string, unknown>;
    assert.deepEqual([name, latest_version], ['versioned/p', '1.20000.0']);
    const newestFirst = ['1.20000.0', '1.19999.0', '1.10.0', '1.9.0', '1.1.0'];
    const places = newestFirst.map((version) => text.indexOf(`"version":"${version}"`));
    assert.deepEqual(
      places,
      places.toSorted((one, other) => one - other),
    );
    assert.equal(text.match(/"version":/g)?.length, 20_000);
  });

  it('do not block the event loop while expired logins and old usage are swept', async function () {
    this.timeout(20_000);
    const { knex } = service.db;
    const numbers =
      'with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 300000)';
    await knex.raw(
      `insert into logins (secret_hash, code, address, created_at, expires_at)
         ${numbers} select 'hash' || n, 'code' || n, '::1', 0, 1 from numbers`,
    );
    await knex.raw(
      `insert into daily_usage (tenant_id, day, invocations, executions) ${numbers} select 't' || n, 1, 1, 1 from numbers`,
    );
    // They took 560 and 280 in one statement.
    await inShortTurns(() => deleteExpiredLogins(knex, someTime));
    await inShortTurns(() => deleteOldUsage(knex, 2));
    assert.deepEqual(await knex('logins'), []);
    assert.deepEqual(await knex('daily_usage').where('day', '<', 2), []);
  });

  it('read the versions of a package once for all members of a client', async function () {
    this.timeout(60_000);
    const pinning = await service.tenant('pinning');
    const owner = samplePackage(pinning.tenant.id, { handle: 'pinning', name: 'steps' });
    await insertPackage(service.db.knex, owner);
    await addVersions(pinning.tenant.id, 2_000);
    await service.db.knex.raw(
      `insert into nodes (tenant_id, id, version_id, position, name, mode, kind, generic_ports, description, required_secrets)
         select tenant_id, 'n' || id, id, 0, 'N', 'unary', 'standard', '[]', '', '[]' from package_versions where tenant_id = ?`,
      [pinning.tenant.id],
    );
    const client = await pinning.post('/api/v1/clients', { name: 'Pinned' });
    const members = Array.from({ length: 300 }, (_, n) => ({
      type: 'node',
      package: 'pinning/steps',
      node_name: 'N',
      alias: `n${n}`,
    }));
    const path = `/api/v1/clients/${client.body.id as string}/members`;
    const began = threadMs();
    const replaced = await inShortTurns(() => pinning.put(path, { members }));
    // It took 4,500, and a client has up to 1,000 members.
    assertTurn(threadMs() - began, 1_000);
    assert.equal(replaced.status, 200, JSON.stringify(replaced.body).slice(0, 500));
    assert.equal(replaced.body[299].package_version, '1.2000.0');
  });

  it('do not block the event loop while the builds of a client are read', async function () {
    this.timeout(20_000);
    const { knex } = service.db;
    const client = await acme.post('/api/v1/clients', { name: 'Built' });
    const versions = 10_000;
    await knex('clients').where({ id: client.body.id }).update({ latest_version: versions });
    await knex.raw(
      `insert into client_versions (tenant_id, client_id, version, semver, snapshot, created_at)
         with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${versions})
         select ?, ?, n, '1.0.' || n, '{}', 0 from numbers`,
      [acme.tenant.id, client.body.id],
    );
    await knex.raw(
      `insert into client_builds (tenant_id, id, client_id, version, language, status, created_at)
         with recursive numbers(n) as (select 0 union all select n + 1 from numbers where n < 59999)
         select ?, 'b' || n, ?, 1 + n / 6, 'language ' || (n % 6), 'failed', 0 from numbers`,
      [acme.tenant.id, client.body.id],
    );
    const path = `/api/v1/clients/${client.body.id as string}`;
    // They took 170 to 390, most of it for one object with all builds.
    const text = await inShortTurns(() => readText(path));
    const { latest_version, version_count, members } = JSON.parse(withoutVersions(text)) as Record<
      string,
      unknown
    >;
    assert.deepEqual([latest_version, version_count, members], [versions, versions, []]);
    assert.ok(text.indexOf(`"version":${versions},`) < text.indexOf('"version":9999,'));
    assert.equal(text.match(/"language \d"/g)?.length, 6 * versions);
  });

  it('do not block the event loop while a package of 9,000 messages is published', async function () {
    this.timeout(30_000);
    const comment = `/* ${'c'.repeat(700)} */`;
    const messages = Array.from({ length: 9_000 }, (_, n) => `${comment} message M${n} {}`);
    const body = JSON.stringify({
      name: 'acme/many',
      version: '1.0.0',
      protos: { 'many.proto': `syntax = "proto3"; package acme.many.v1; ${messages.join('\n')}` },
      nodes: [{ name: 'N', input: 'acme.many.v1.M0', output: 'acme.many.v1.M1' }],
    });
    const publish = (text: string) =>
      fetch(`${service.url}/api/v1/packages`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${acme.key}`, 'Content-Type': 'application/json' },
        body: text,
      });
    // The first request loads what publishing needs.
    assert.equal((await publish('{}')).status, 400);
    const watch = watchTurns();
    const { status } = await publish(body);
    assertTurn(watch.stop(), maxTurnMs);
    assert.equal(status, 201);
  });

  it('draw a flow of 2,000 conditions in a short turn', () => {
    const nodes = Array.from({ length: 100 }, (_, n) => ({
      id: `n${n}`,
      packageName: 'acme/steps',
      version: '1.0.0',
      nodeName: 'Step',
    }));
    const edges = Array.from({ length: 2_000 }, (_, n) => {
      const [one, other] = [(n * 7_919) % 99, (n * 104_729 + n * n * 31) % 99];
      const [from, to] = [Math.min(one, other), Math.max(one, other) + 1];
      return { id: `e${n}`, from: `n${from}`, to: `n${to}`, condition: `output.text == "x${n}"` };
    });
    const graph = { name: 'many', entry: 'n0', terminal: 'n99', nodes, edges };
    const began = threadMs();
    const drawn = drawSvg(graph as unknown as CompiledGraph);
    assertTurn(threadMs() - began, maxTurnMs);
    assert.equal(drawn.match(/class="condition"/g)?.length, edges.length);
  });
});
