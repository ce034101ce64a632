import assert from 'node:assert/strict';
import { findMessage } from '../../../../service/store/message-types.ts';
import { messageTypes } from '../../../../service/store/migrations/0012-message-types.ts';
import { publishStepsOf } from '../../../support/compiled-flow.ts';
import { eachDatabase } from '../../../support/databases.ts';
import { storedTenant } from '../../../support/sample-records.ts';

describe('packages from before migration 0012', () => {
  eachDatabase((open) => {
    it('are indexed by their messages', async () => {
      const db = await open();
      const tenant = await storedTenant(db.knex);
      await publishStepsOf(db, tenant);
      const read = () =>
        db.knex('message_types').select('tenant_id', 'version_id', 'name').orderBy('name') as Promise<
          object[]
        >;
      const before = await read();
      assert.equal(before.length, 3);
      await db.knex.schema.dropTable('message_types');
      await db.transaction(async (tx) => {
        await messageTypes.up(tx);
      });
      assert.deepEqual(await read(), before);
      assert.ok(await findMessage(db.knex, tenant.id, 'acme.steps.v1.Part'));
    });
  });
});
