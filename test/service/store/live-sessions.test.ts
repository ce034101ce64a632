import assert from 'node:assert/strict';
import type { Database } from '../../../service/store/database.ts';
import {
  correctSlots,
  giveSlotBack,
  openExecutions,
  takeSlot,
} from '../../../service/store/live-sessions.ts';
import { beat } from '../../../service/store/replicas.ts';
import { eachDatabase } from '../../support/databases.ts';
import { storedTenant } from '../../support/sample-records.ts';

describe('the slots of live sessions', () => {
  eachDatabase((open) => {
    let db: Database;
    before(async () => {
      db = await open();
    });

    it('are taken again for open sessions after another replica has released them', async () => {
      const tenant = await storedTenant(db.knex, { handle: 'slots' });
      const slotOf = (name: string) => ({ tenantId: tenant.id, executionId: name, owner: 'a' });
      const [one, two, ended] = ['one', 'two', 'ended'].map(slotOf) as [Slot, Slot, Slot];
      const sessions = new Map<string, Slot | undefined>([
        [one.executionId, one],
        [two.executionId, two],
        // Its slot is being taken.
        ['three', undefined],
      ]);
      const correct = () => correctSlots(db, { replica: 'a', open: sessions, deadAfterMs: 60_000 });
      const count = () => openExecutions(db.knex, tenant.id);
      await beat(db.knex, 'b');
      for (const slot of [one, two, ended]) assert.ok(await takeSlot(db, slot, undefined));
      // The heartbeat of `a` is missing.
      await correctSlots(db, { replica: 'b', open: new Map(), deadAfterMs: 60_000 });
      assert.equal(await count(), 0);
      await beat(db.knex, 'a');
      await correct();
      assert.equal(await count(), 2);
      await correct();
      assert.equal(await count(), 2);
      sessions.delete(two.executionId);
      await correct();
      assert.equal(await count(), 1);
      await giveSlotBack(db.knex, one);
      assert.equal(await count(), 0);
    });
  });
});

type Slot = Parameters<typeof takeSlot>[1];
