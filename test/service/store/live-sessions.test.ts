import assert from 'node:assert/strict';
import type { Database } from '../../../service/store/database.ts';
import {
  reconcileSlots,
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
      const reconcile = () => reconcileSlots(db, { replica: 'a', open: sessions, ...judging });
      const count = () => openExecutions(db.knex, tenant.id);
      await beat(db.knex, 'b');
      for (const slot of [one, two, ended]) assert.ok(await takeSlot(db, slot, undefined));
      // The heartbeat of `a` is missing.
      await reconcileSlots(db, { replica: 'b', open: new Map(), ...judging });
      assert.equal(await count(), 0);
      await beat(db.knex, 'a');
      await reconcile();
      assert.equal(await count(), 2);
      await reconcile();
      assert.equal(await count(), 2);
      sessions.delete(two.executionId);
      await reconcile();
      assert.equal(await count(), 1);
      await giveSlotBack(db.knex, one);
      assert.equal(await count(), 0);
    });

    it('of a silent replica stay while the one that looks may not judge it', async () => {
      const tenant = await storedTenant(db.knex, { handle: 'judged' });
      const slot = { tenantId: tenant.id, executionId: 'held', owner: 'silent' };
      assert.ok(await takeSlot(db, slot, undefined));
      const reconcile = (heartbeatsAreReliable: () => boolean) =>
        reconcileSlots(db, { replica: 'b', open: new Map(), ...judging, heartbeatsAreReliable });
      let isAway = false;
      const correcting = reconcile(() => !isAway);
      // The query of the heartbeats waits for the database.
      isAway = true;
      await correcting;
      assert.equal(await openExecutions(db.knex, tenant.id), 1);
      await reconcile(() => true);
      assert.equal(await openExecutions(db.knex, tenant.id), 0);
    });
  });
});

const judging = { deadAfterMs: 60_000, heartbeatsAreReliable: () => true };

type Slot = Parameters<typeof takeSlot>[1];
