import assert from 'node:assert/strict';
import { limits } from '../../../specs/limits.ts';
import { addLateDecision } from '../../../service/store/late-decisions.ts';
import { eachDatabase } from '../../support/databases.ts';
import { storedTenant } from '../../support/sample-records.ts';

eachDatabase((open) => {
  describe('late decisions', () => {
    it('are kept up to a limit per pause', async () => {
      const db = await open();
      const { id: tenantId } = await storedTenant(db.knex);
      const add = (pauseId: string, id: string) =>
        addLateDecision(db.knex, {
          tenantId,
          executionId: 'e',
          pauseId,
          id,
          decidedAt: 1,
          resumedBy: 'bob',
          value: null,
        });
      const kept = async (pauseId: string): Promise<number> =>
        (await db.knex('late_decisions').where({ pause_id: pauseId }).pluck('id')).length;
      for (let index = 0; index < limits.lateDecisionsPerPause - 1; index += 1) await add('p', `${index}`);
      await add('p', 'last');
      assert.equal(await kept('p'), limits.lateDecisionsPerPause);
      await add('p', 'further');
      assert.equal(await kept('p'), limits.lateDecisionsPerPause);
      await add('q', 'first');
      assert.equal(await kept('q'), 1);
    });
  });
});
