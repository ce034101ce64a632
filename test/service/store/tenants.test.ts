import assert from 'node:assert/strict';
import type { Database } from '../../../service/store/database.ts';
import { isUniqueViolation } from '../../../service/store/database-errors.ts';
import {
  findTenant,
  findTenantByHandle,
  handleTaken,
  insertTenant,
  listTenants,
  updateTenantLimits,
  updateTenantStatus,
} from '../../../service/store/tenants.ts';
import { eachDatabase } from '../../support/databases.ts';
import { sampleTenant, storedTenant } from '../../support/sample-records.ts';

describe('tenants', () => {
  eachDatabase((open) => {
    let db: Database;
    before(async () => {
      db = await open();
    });

    it('are found by id and by handle', async () => {
      const tenant = sampleTenant({ handle: 'acme', limits: { rps: 2.5, dailyInvocations: 7 } });
      await insertTenant(db.knex, tenant);
      assert.deepEqual(await findTenant(db.knex, tenant.id), tenant);
      assert.deepEqual(await findTenantByHandle(db.knex, 'acme'), tenant);
      assert.equal(await findTenantByHandle(db.knex, 'ACME'), undefined);
    });

    it('have unique handles', async () => {
      await storedTenant(db.knex, { handle: 'taken' });
      await assert.rejects(storedTenant(db.knex, { handle: 'taken' }), (error) => {
        assert.ok(isUniqueViolation(error, handleTaken));
        assert.ok(!isUniqueViolation(error, 'clients_tenant_id_name_unique'));
        return true;
      });
    });

    it('are suspended, resumed and limited independently', async () => {
      const [changed, other] = [await storedTenant(db.knex), await storedTenant(db.knex)];
      await updateTenantStatus(db.knex, changed.id, 'suspended');
      await updateTenantLimits(db.knex, changed.id, { burst: 3 });
      const expected = { ...changed, status: 'suspended', limits: { burst: 3 } };
      assert.deepEqual(await findTenant(db.knex, changed.id), expected);
      assert.deepEqual(await findTenant(db.knex, other.id), other);
    });

    it('are listed oldest first', async () => {
      const empty = await open();
      const younger = await storedTenant(empty.knex, { createdAt: 2 });
      const older = await storedTenant(empty.knex, { createdAt: 1 });
      assert.deepEqual(await listTenants(empty.knex), [older, younger]);
    });
  });
});
