import assert from 'node:assert/strict';
import { insertClientVersion, listReleases } from '../../../../service/store/client-versions.ts';
import type { Database } from '../../../../service/store/database.ts';
import { clientReleases } from '../../../../service/store/migrations/0033-client-releases.ts';
import { eachDatabase } from '../../../support/databases.ts';
import { hostileText, someTime, storedClient, storedTenant } from '../../../support/sample-records.ts';

describe('client versions from before migration 0033', () => {
  eachDatabase((open) => {
    let db: Database;
    before(async () => {
      db = await open();
    });

    it('have the releases of their snapshots', async () => {
      const { id: tenantId } = await storedTenant(db.knex);
      const { id: clientId } = await storedClient(db.knex, tenantId);
      const releases = [1, 2].map((version) => ({ version, added: [hostileText, '\u0000'] }));
      for (const release of releases) {
        const { version } = release;
        const snapshot = { members: [hostileText], release };
        const record = { tenantId, clientId, version, semver: '1.0.0', snapshot, createdAt: someTime };
        await insertClientVersion(db.knex, record);
      }
      await db.knex.schema.alterTable('client_versions', (t) => {
        t.dropColumn('release');
      });
      await db.transaction(async (tx) => {
        await clientReleases.up(tx);
      });
      assert.deepEqual(await listReleases(db.knex, tenantId, clientId, 2), releases.toReversed());
    });
  });
});
