import assert from 'node:assert/strict';
import type { Database } from '../../../../service/store/database.ts';
import { createInvocationDraws } from '../../../../service/store/commit/invocation-draws.ts';
import { eachDatabase, openAgain } from '../../../support/databases.ts';
import { storedTenant } from '../../../support/sample-records.ts';

eachDatabase((open) => {
  describe('draws of daily invocations', () => {
    let db: Database;
    before(async () => {
      db = await open();
    });

    const day = 20_778;
    const usage = async (tenantId: string): Promise<unknown[]> =>
      db
        .knex('daily_usage')
        .select('day', 'invocations', 'executions')
        .where({ tenant_id: tenantId })
        .orderBy('day');
    const times = (count: number): undefined[] => Array.from<undefined>({ length: count });

    it('are granted up to the cap under concurrency', async () => {
      const { id: tenantId } = await storedTenant(db.knex);
      const draws = createInvocationDraws(db);
      const granted = await Promise.all(times(100).map(() => draws.draw({ tenantId, day, cap: 37 })));
      assert.equal(granted.filter(Boolean).length, 37);
      assert.equal(await draws.draw({ tenantId, day, cap: 37 }), false);
      assert.equal(await draws.draw({ tenantId, day, cap: 38 }), true);
      await draws.close();
      assert.deepEqual(await usage(tenantId), [{ day, invocations: 38, executions: 0 }]);
    });

    it('are granted up to the cap across two processes', async () => {
      const { id: tenantId } = await storedTenant(db.knex);
      const all = [createInvocationDraws(db), createInvocationDraws(await openAgain(db))];
      const rounds = times(10).map(async () => {
        const answers = all.flatMap((draws) => times(8).map(() => draws.draw({ tenantId, day, cap: 101 })));
        return (await Promise.all(answers)).filter(Boolean).length;
      });
      const granted = (await Promise.all(rounds)).reduce((sum, count) => sum + count, 0);
      for (const draws of all) await draws.close();
      assert.equal(granted, 101);
      assert.deepEqual(await usage(tenantId), [{ day, invocations: 101, executions: 0 }]);
    });

    it('are counted per tenant and day, together with runs', async () => {
      const { id: one } = await storedTenant(db.knex);
      const { id: other } = await storedTenant(db.knex);
      await db.knex('daily_usage').insert({ tenant_id: one, day, invocations: 4, executions: 3 });
      const draws = createInvocationDraws(db);
      const answers = await Promise.all([
        draws.draw({ tenantId: one, day, cap: 5 }),
        draws.draw({ tenantId: one, day, cap: 5 }),
        draws.draw({ tenantId: one, day: day + 1, cap: 5 }),
        draws.draw({ tenantId: other, day, cap: 0 }),
      ]);
      await draws.close();
      assert.deepEqual(answers, [true, false, true, false]);
      assert.deepEqual(await usage(one), [
        { day, invocations: 5, executions: 3 },
        { day: day + 1, invocations: 1, executions: 0 },
      ]);
      assert.deepEqual(await usage(other), []);
    });
  });
});
