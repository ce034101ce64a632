import assert from 'node:assert/strict';
import { findBuild, insertBuild, readBuilds } from '../../../service/store/client-builds.ts';
import { insertMembers, listMembers } from '../../../service/store/client-members.ts';
import { findClientVersion, insertClientVersion } from '../../../service/store/client-versions.ts';
import {
  clientNameTaken,
  clientSlugTaken,
  deleteClient,
  findClient,
  insertClient,
  readClients,
  raiseLatestVersion,
  updateClient,
} from '../../../service/store/clients.ts';
import type { Database } from '../../../service/store/database.ts';
import { wholeList } from '../../../service/store/records.ts';
import { isUniqueViolation } from '../../../service/store/database-errors.ts';
import { eachDatabase } from '../../support/databases.ts';
import {
  hostileText,
  sampleBuild,
  sampleClient,
  sampleMember,
  storedClient,
  storedTenant,
} from '../../support/sample-records.ts';

describe('clients', () => {
  eachDatabase((open) => {
    let db: Database;
    let tenantId: string;
    before(async () => {
      db = await open();
    });
    beforeEach(async () => {
      tenantId = (await storedTenant(db.knex)).id;
    });

    it('are found only by their own tenant', async () => {
      const client = await storedClient(db.knex, tenantId, { name: hostileText, description: hostileText });
      assert.deepEqual(await findClient(db.knex, tenantId, client.id), client);
      assert.equal(await findClient(db.knex, 'another tenant', client.id), undefined);
    });

    it('have unique names and slugs within the tenant', async () => {
      const client = await storedClient(db.knex, tenantId);
      const insert = (fields: object): Promise<void> => insertClient(db.knex, sampleClient(tenantId, fields));
      await assert.rejects(insert({ name: client.name }), (error) =>
        isUniqueViolation(error, clientNameTaken),
      );
      await assert.rejects(insert({ slug: client.slug }), (error) =>
        isUniqueViolation(error, clientSlugTaken),
      );
      const other = await storedTenant(db.knex);
      await insertClient(db.knex, sampleClient(other.id, { name: client.name, slug: client.slug }));
    });

    it('are listed oldest first with their counts', async () => {
      const younger = await storedClient(db.knex, tenantId, { createdAt: 2 });
      const older = await storedClient(db.knex, tenantId, { createdAt: 1 });
      await insertMembers(db.knex, [sampleMember(older), sampleMember(older, { alias: 'other' })]);
      const version = { tenantId, clientId: older.id, semver: '1.0.0', snapshot: [], createdAt: 1 };
      await insertClientVersion(db.knex, { ...version, version: 1 });
      assert.deepEqual(await wholeList(readClients(db.knex, tenantId)), [
        { ...older, memberCount: 2, versionCount: 1 },
        { ...younger, memberCount: 0, versionCount: 0 },
      ]);
      assert.deepEqual(await wholeList(readClients(db.knex, 'another tenant')), []);
    });

    it('are updated only for their own tenant', async () => {
      const client = await storedClient(db.knex, tenantId);
      const changes = { name: 'New', slug: 'new', defaultLanguage: 'python', updatedAt: 9 };
      assert.equal(await updateClient(db.knex, 'another tenant', client.id, changes), false);
      assert.equal(await updateClient(db.knex, tenantId, client.id, changes), true);
      assert.deepEqual(await findClient(db.knex, tenantId, client.id), { ...client, ...changes });
    });

    it('assign different versions to concurrent builds', async () => {
      const client = await storedClient(db.knex, tenantId);
      const raise = (): Promise<number | undefined> =>
        db.transaction((tx) => raiseLatestVersion(tx, tenantId, client.id, 77));
      const versions = await Promise.all(Array.from({ length: 8 }, raise));
      assert.deepEqual(
        versions.sort((a, b) => a! - b!),
        [1, 2, 3, 4, 5, 6, 7, 8],
      );
      const after = await findClient(db.knex, tenantId, client.id);
      assert.deepEqual(after, { ...client, latestVersion: 8, updatedAt: 77 });
      assert.equal(await raiseLatestVersion(db.knex, 'another tenant', client.id, 1), undefined);
    });

    it('are deleted with their members, versions and builds', async () => {
      const [gone, kept] = [await storedClient(db.knex, tenantId), await storedClient(db.knex, tenantId)];
      for (const client of [gone, kept]) {
        await insertMembers(db.knex, [sampleMember(client)]);
        const version = { tenantId, clientId: client.id, version: 1, semver: '1.0.0', createdAt: 1 };
        await insertClientVersion(db.knex, { ...version, snapshot: {} });
        await insertBuild(db.knex, sampleBuild(client));
      }
      assert.equal(await deleteClient(db.knex, 'another tenant', gone.id), false);
      assert.equal(await deleteClient(db.knex, tenantId, gone.id), true);
      assert.equal(await deleteClient(db.knex, tenantId, gone.id), false);
      assert.equal(await findClientVersion(db.knex, tenantId, gone.id, 1), undefined);
      assert.ok(await findClientVersion(db.knex, tenantId, kept.id, 1));
      for (const [{ id }, count] of [
        [gone, 0],
        [kept, 1],
      ] as const) {
        const builds = await wholeList(readBuilds(db.knex, { tenantId, id, latestVersion: 1 }));
        assert.equal(builds.length, count);
        assert.equal((await listMembers(db.knex, tenantId, id)).length, count);
      }
      assert.ok(await findBuild(db.knex, tenantId, kept.id, 1, 'typescript'));
    });
  });
});
