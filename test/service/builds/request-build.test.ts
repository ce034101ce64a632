import assert from 'node:assert/strict';
import { limits } from '../../../specs/limits.ts';
import { addMember, removeMember, replaceMembers } from '../../../service/clients/change-members.ts';
import { snapshotOf } from '../../../service/clients/client-snapshot.ts';
import { replaceClient } from '../../../service/clients/save-client.ts';
import { systemClock } from '../../../service/clock.ts';
import { createIds } from '../../../service/ids.ts';
import {
  claimBuild,
  type ClientBuild,
  finishBuild,
  insertBuild,
} from '../../../service/store/client-builds.ts';
import { listMembers } from '../../../service/store/client-members.ts';
import { findClientVersion } from '../../../service/store/client-versions.ts';
import { type Client, findClient } from '../../../service/store/clients.ts';
import type { Database } from '../../../service/store/database.ts';
import type { Tenant } from '../../../service/store/tenants.ts';
import { requestBuilds, storedBuilds, storedBundle } from '../../support/build-fixture.ts';
import { eachDatabase } from '../../support/databases.ts';
import { publishText } from '../../support/published-text.ts';
import { sampleBuild, storedTenant } from '../../support/sample-records.ts';

describe('requesting builds', () => {
  eachDatabase((open) => {
    let db: Database;
    let tenant: Tenant;
    let client: Client;
    const ids = createIds(systemClock);
    const options = () => ({ db, clock: systemClock, ids });
    const ask = (languages: string[], version = 0) =>
      requestBuilds(db, tenant, client.id, languages, version);
    const key = () => ({ tenantId: tenant.id, clientId: client.id });
    const text = (fields: object) => ({ type: 'node' as const, package: `${tenant.handle}/text`, ...fields });
    const semvers = async () => {
      const found: string[] = [];
      for (let version = 1; ; version += 1) {
        const one = await findClientVersion(db.knex, tenant.id, client.id, version);
        if (one === undefined) return found;
        found.push(one.semver);
      }
    };

    before(async () => {
      db = await open();
    });
    beforeEach(async () => {
      ({ tenant, client } = await storedBundle(db));
    });

    it('returns one pending row per language in the requested order, without duplicates', async () => {
      const rows = await ask(['python', 'typescript', 'python']);
      assert.deepEqual(
        rows.map(({ language, status, version }) => [language, status, version]),
        [
          ['python', 'pending', 1],
          ['typescript', 'pending', 1],
        ],
      );
      assert.deepEqual(await storedBuilds(db, tenant, client.id), rows);
      assert.equal((await findClient(db.knex, tenant.id, client.id))?.latestVersion, 1);
    });

    it('uses the default language of the client if none is requested', async () => {
      const fields = { name: 'Text tools', description: '', defaultLanguage: 'python' };
      await replaceClient(options(), tenant, client.id, fields);
      assert.deepEqual(
        (await ask([])).map((row) => row.language),
        ['python'],
      );
    });

    it('rejects builds beyond the limit of pending builds per tenant', async () => {
      await ask(['go', 'rust']);
      const pending = Array.from({ length: limits.pendingBuildsPerTenant - 3 }, (_, n) =>
        sampleBuild(client, { language: `l${n}` }),
      );
      for (const build of pending) await insertBuild(db.knex, build);
      const refusal = {
        status: 429,
        code: 'too_many_builds',
        body: {
          error: 'a tenant can have at most 200 pending builds: repeat the request when some are built',
        },
      };
      await assert.rejects(ask(['java', 'go']), refusal);
      assert.equal((await ask(['java'])).length, 1);
      await assert.rejects(ask(['python'], 1), refusal);

      const claim = { owner: 'me', now: Date.now(), leaseMs: 60_000 };
      const isOurs = (row: ClientBuild): boolean => row.tenantId === tenant.id;
      let row = await claimBuild(db.knex, claim);
      while (row && !isOurs(row)) row = await claimBuild(db.knex, claim);
      assert.ok(
        row && (await finishBuild(db.knex, { ...row, owner: 'me' }, { status: 'failed', error: 'x' })),
      );
      assert.equal((await ask(['python'], 1)).length, 1);
      const other = await storedBundle(db);
      assert.equal((await requestBuilds(db, other.tenant, other.client.id, [])).length, 1);
    });

    it('changes nothing if the request is rejected', async () => {
      const rejects = (request: Promise<unknown>, status: number, error: string) =>
        assert.rejects(request, { status, body: { error } });
      await rejects(ask(['typescript', 'cobol']), 400, 'unsupported language: cobol');
      await rejects(ask([''], 0), 400, 'unsupported language: ');
      await rejects(ask(['go'], 1), 404, 'version not found');
      const other = await storedTenant(db.knex);
      await rejects(requestBuilds(db, other, client.id, []), 404, 'client not found');
      await replaceMembers(options(), key(), []);
      await rejects(ask([]), 400, 'client has no members — add at least one node or flow');
      assert.equal((await findClient(db.knex, tenant.id, client.id))?.latestVersion, 0);
      assert.deepEqual(await storedBuilds(db, tenant, client.id), []);
    });

    it('takes a snapshot of the client and its members', async () => {
      await ask(['typescript']);
      const frozen = await findClientVersion(db.knex, tenant.id, client.id, 1);
      assert.ok(frozen);
      const [member] = snapshotOf(frozen).members;
      assert.deepEqual(
        { ...member, pin: { ...member?.pin, ulid: '' }, source: undefined },
        {
          type: 'node',
          alias: 'Tokenize',
          mode: 'unary',
          pin: { package: `${tenant.handle}/text`, version: '1.0.0', node: 'Tokenize', ulid: '' },
          comment: 'Takes text apart.',
          input: 'acme.text.v1.TokenizeRequest',
          output: 'acme.text.v1.TokenizeReply',
          source: undefined,
        },
      );
      await replaceMembers(options(), key(), [text({ node_name: 'CountWords' })]);
      await replaceClient(options(), tenant, client.id, { name: 'Other', description: 'new' });
      await ask(['go'], 1);
      assert.deepEqual(await findClientVersion(db.knex, tenant.id, client.id, 1), frozen);
    });

    it('adds languages to a version, keeps pending builds and repeats finished ones', async () => {
      const owner = 'me';
      // Claims go by age across tenants, so the builds of other tests come first.
      while (await claimBuild(db.knex, { owner, now: Date.now(), leaseMs: 60_000 }));
      const [typescript, python, go] = await ask(['typescript', 'python', 'go']);
      for (const result of [
        { status: 'failed', error: 'no' },
        { status: 'succeeded', sha256: 'ab', size: 1 },
      ] as const) {
        const row = await claimBuild(db.knex, { owner, now: Date.now(), leaseMs: 60_000 });
        assert.ok(row && (await finishBuild(db.knex, { ...row, owner }, result)));
      }
      const claimed = await claimBuild(db.knex, { owner, now: Date.now(), leaseMs: 60_000 });
      assert.equal(claimed?.id, go?.id);

      const rows = await ask(['typescript', 'python', 'go', 'rust'], 1);
      assert.deepEqual(
        rows.map(({ id, status, error, version }) => [id, status, error, version]),
        [typescript, python, go, rows[3]].map((row) => [row?.id, 'pending', null, 1]),
      );
      const stored = await storedBuilds(db, tenant, client.id);
      assert.deepEqual(
        stored.map((row) => [row.language, row.status, row.leaseOwner]),
        [
          ['typescript', 'pending', null],
          ['python', 'pending', null],
          ['go', 'pending', owner],
          ['rust', 'pending', null],
        ],
      );
      assert.equal((await findClient(db.knex, tenant.id, client.id))?.latestVersion, 1);
    });

    it('assigns consecutive versions to concurrent requests', async () => {
      const built = await Promise.all(Array.from({ length: 8 }, () => ask(['typescript'])));
      const versions = built.map(([row]) => row?.version ?? 0).sort((a, b) => a - b);
      assert.deepEqual(versions, [1, 2, 3, 4, 5, 6, 7, 8]);
      assert.equal((await findClient(db.knex, tenant.id, client.id))?.latestVersion, 8);
    });

    it('creates one row for concurrent requests for a new language', async () => {
      await ask(['typescript']);
      const built = await Promise.all([ask(['go'], 1), ask(['go'], 1), ask(['go'], 1)]);
      assert.equal(new Set(built.map(([row]) => row?.id)).size, 1);
    });

    it('increments the semantic version according to the changes of the API', async () => {
      await ask([]);
      await ask([]);
      assert.deepEqual(await semvers(), ['1.0.0', '1.0.1']);

      const count = await addMember(options(), key(), text({ node_name: 'CountWords', alias: 'count' }));
      await ask([]);
      assert.equal((await semvers()).at(-1), '1.1.0');

      await publishText(db, tenant, { version: '1.1.0', wordFields: 'string lemma = 3;' });
      await replaceMembers(options(), key(), [
        text({ node_name: 'Tokenize' }),
        text({ node_name: 'CountWords', alias: 'count' }),
      ]);
      await ask([]);
      assert.equal((await semvers()).at(-1), '1.2.0');

      const members = await listMembers(db.knex, tenant.id, client.id);
      assert.notEqual(members[1]?.id, count.id);
      await removeMember(options(), key(), members[1]?.id ?? '');
      await ask([]);
      assert.equal((await semvers()).at(-1), '2.0.0');

      const last = await findClientVersion(db.knex, tenant.id, client.id, 5);
      assert.equal(snapshotOf(last!).release.removed.length, 1);
      assert.match(snapshotOf(last!).release.removed[0] ?? '', /count/);
    });
  });
});
