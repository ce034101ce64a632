import assert from 'node:assert/strict';
import {
  findClientVersion,
  insertClientVersion,
  listReleases,
} from '../../../service/store/client-versions.ts';
import type { Client } from '../../../service/store/clients.ts';
import type { Database } from '../../../service/store/database.ts';
import { isUniqueViolation } from '../../../service/store/database-errors.ts';
import { eachDatabase } from '../../support/databases.ts';
import { hostileText, someTime, storedClient, storedTenant } from '../../support/sample-records.ts';

describe('client versions', () => {
  eachDatabase((open) => {
    let db: Database;
    let client: Client;
    before(async () => {
      db = await open();
      client = await storedClient(db.knex, (await storedTenant(db.knex)).id);
    });

    it('keep their snapshot exactly, including the order of keys', async () => {
      const snapshot = { z: [hostileText, 1.5, null, true], a: { nested: '\u0000' } };
      const { tenantId, id: clientId } = client;
      const second = { tenantId, clientId, version: 2, semver: '1.1.0', snapshot, createdAt: someTime };
      const first = { ...second, version: 1, semver: '1.0.0' };
      await insertClientVersion(db.knex, second);
      await insertClientVersion(db.knex, first);
      const found = await findClientVersion(db.knex, tenantId, clientId, 2);
      assert.deepEqual(found, second);
      assert.equal(JSON.stringify(found.snapshot), JSON.stringify(snapshot));
      assert.equal(await findClientVersion(db.knex, 'another tenant', clientId, 2), undefined);
      await assert.rejects(insertClientVersion(db.knex, first), (error) => isUniqueViolation(error));
    });

    it('return their releases up to a version, newest first', async () => {
      const { tenantId } = client;
      const { id: clientId } = await storedClient(db.knex, tenantId);
      const releases = [1, 2, 3].map((version) => ({ version, z: hostileText, a: ['\u0000', 1.5, null] }));
      for (const release of releases) {
        const { version } = release;
        const snapshot = { members: [hostileText], release };
        const semver = `1.${version}.0`;
        await insertClientVersion(db.knex, {
          tenantId,
          clientId,
          version,
          semver,
          snapshot,
          createdAt: someTime,
        });
      }
      const found = await listReleases(db.knex, tenantId, clientId, 2);
      assert.deepEqual(found, [releases[1], releases[0]]);
      assert.equal(JSON.stringify(found[0]), JSON.stringify(releases[1]));
      assert.deepEqual(await listReleases(db.knex, 'another tenant', clientId, 2), []);
    });
  });
});
