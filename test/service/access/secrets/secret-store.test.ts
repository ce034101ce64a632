import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { createSecretStore, type SecretStore } from '../../../../service/access/secrets/secret-store.ts';
import type { Database } from '../../../../service/store/database.ts';
import { deleteSecret, listSecrets } from '../../../../service/store/secrets.ts';
import { eachDatabase } from '../../../support/databases.ts';
import { storedTenant } from '../../../support/sample-records.ts';

describe('secrets', () => {
  eachDatabase((open) => {
    let db: Database;
    let secrets: SecretStore;
    let tenantId: string;
    let otherId: string;
    let now = 1000;
    before(async () => {
      db = await open();
      tenantId = (await storedTenant(db.knex)).id;
      otherId = (await storedTenant(db.knex)).id;
      secrets = createSecretStore({ tx: db.knex, clock: { now: () => now }, key: randomBytes(32) });
    });

    it('are returned by name, without those that are not configured', async () => {
      await secrets.set(tenantId, 'A', 'one');
      await secrets.set(tenantId, 'B', 'two\n');
      assert.deepEqual(await secrets.values(tenantId, ['B', 'MISSING']), { B: 'two\n' });
      assert.deepEqual(await secrets.values(tenantId, []), {});
      assert.deepEqual(await secrets.names(tenantId), new Set(['A', 'B']));
    });

    it('belong to one tenant', async () => {
      await secrets.set(otherId, 'A', 'of the other');
      assert.deepEqual(await secrets.values(tenantId, ['A']), { A: 'one' });
      assert.deepEqual(await secrets.names(otherId), new Set(['A']));
    });

    it('are replaced in place and deleted', async () => {
      now = 2000;
      await secrets.set(tenantId, 'A', 'new');
      const listed = await listSecrets(db.knex, tenantId);
      assert.deepEqual(
        listed.map(({ name, createdAt, updatedAt }) => [name, createdAt, updatedAt]),
        [
          ['A', 1000, 2000],
          ['B', 1000, 1000],
        ],
      );
      assert.deepEqual(await secrets.values(tenantId, ['A']), { A: 'new' });
      assert.equal(await deleteSecret(db.knex, tenantId, 'A'), true);
      assert.equal(await deleteSecret(db.knex, tenantId, 'A'), false);
      assert.deepEqual(await secrets.values(otherId, ['A']), { A: 'of the other' });
    });

    it('fail to load with another key', async () => {
      await secrets.set(tenantId, 'A', 'one');
      const clock = { now: () => now };
      const changed = createSecretStore({ tx: db.knex, clock, key: randomBytes(32) });
      await assert.rejects(changed.values(tenantId, ['A']), /secret "A" was encrypted with another key/);
    });
  });
});
