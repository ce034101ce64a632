import assert from 'node:assert/strict';
import type { Database } from '../../../service/store/database.ts';
import { wholeList } from '../../../service/store/records.ts';
import { isUniqueViolation } from '../../../service/store/database-errors.ts';
import {
  findPackage,
  insertPackage,
  listMeantPackages,
  readVisiblePackages,
  updatePackage,
} from '../../../service/store/packages.ts';
import { eachDatabase } from '../../support/databases.ts';
import { hostileText, samplePackage, storedTenant } from '../../support/sample-records.ts';

describe('packages', () => {
  eachDatabase((open) => {
    let db: Database;
    let tenantId: string;
    before(async () => {
      db = await open();
      tenantId = (await storedTenant(db.knex)).id;
    });

    it('are found by full name across tenants', async () => {
      const record = samplePackage(tenantId, { handle: 'acme', name: 'text', description: hostileText });
      await insertPackage(db.knex, record);
      assert.deepEqual(await findPackage(db.knex, 'acme', 'text'), record);
      assert.equal(await findPackage(db.knex, 'other', 'text'), undefined);
    });

    it('have unique names within the tenant', async () => {
      const other = await storedTenant(db.knex);
      await insertPackage(db.knex, samplePackage(tenantId, { name: 'same' }));
      await insertPackage(db.knex, samplePackage(other.id, { name: 'same', handle: 'other' }));
      await assert.rejects(insertPackage(db.knex, samplePackage(tenantId, { name: 'same' })), (error) =>
        isUniqueViolation(error, 'packages_tenant_id_name_unique'),
      );
    });

    it('change their description and visibility', async () => {
      const record = samplePackage(tenantId, { name: 'changing' });
      await insertPackage(db.knex, record);
      const changes = { description: 'new', visibility: 'public' } as const;
      await updatePackage(db.knex, 'another tenant', record.id, changes);
      assert.deepEqual(await findPackage(db.knex, 'acme', 'changing'), record);
      await updatePackage(db.knex, tenantId, record.id, changes);
      assert.deepEqual(await findPackage(db.knex, 'acme', 'changing'), { ...record, ...changes });
    });

    it('are visible to their tenant, or to everyone if public, in a fixed order', async () => {
      const fresh = await open();
      const mine = await storedTenant(fresh.knex);
      const other = await storedTenant(fresh.knex);
      const add = async (tenant: string, name: string, visibility: 'public' | 'private'): Promise<void> => {
        const handle = tenant === mine.id ? 'mine' : 'other';
        await insertPackage(fresh.knex, samplePackage(tenant, { handle, name, visibility }));
      };
      await add(other.id, 'shown', 'public');
      await add(other.id, 'hidden', 'private');
      // A natural language's collation would reverse these.
      await add(mine.id, 'a-c', 'private');
      await add(mine.id, 'ab', 'public');
      const names = (await wholeList(readVisiblePackages(fresh.knex, mine.id))).map(
        (p) => `${p.handle}/${p.name}`,
      );
      assert.deepEqual(names, ['mine/a-c', 'mine/ab', 'other/shown']);

      // What may be meant by a name: own ones, and public ones with that handle or that name.
      await add(other.id, 'else', 'public');
      const meant = (handle: string, name: string) =>
        listMeantPackages(fresh.knex, mine.id, { handle, name });
      const all = ['mine/a-c', 'mine/ab', 'other/else', 'other/shown'];
      assert.deepEqual((await meant('other', 'hidden')).toSorted(), all);
      assert.deepEqual((await meant('otter', 'else')).toSorted(), all.slice(0, 3));
    });
  });
});
