import assert from 'node:assert/strict';
import type { Database } from '../../../service/store/database.ts';
import { claimRuns } from '../../../service/store/run-claims.ts';
import { eachDatabase } from '../../support/databases.ts';
import { itSlow } from '../../support/fast-run.ts';
import { storedTenant } from '../../support/sample-records.ts';

const now = 1_000;

eachDatabase((open) => {
  describe('a claim of runs', () => {
    let db: Database;
    let tenantId: string;
    before(async () => {
      db = await open();
      tenantId = (await storedTenant(db.knex)).id;
    });

    const store = async (
      runs: { id: string; owner: string | null; wakeAt: number | null }[],
    ): Promise<void> => {
      const common = { tenant_id: tenantId, status: 'RUNNING', graph_id: 'g', created_at: 1, updated_at: 1 };
      const rows = runs.map(({ id, owner, wakeAt }) => ({ ...common, id, owner, wake_at: wakeAt }));
      await db.knex.batchInsert('executions', rows, 90);
    };
    const claim = (dead: string[] = []) => claimRuns(db.knex, { replica: 'me', dead, now, limit: 50 });

    it('takes only runs that are queued, due or owned by a dead replica', async () => {
      await store([
        { id: 'queued', owner: '', wakeAt: null },
        { id: 'due', owner: '', wakeAt: now },
        { id: 'later', owner: '', wakeAt: now + 1 },
        { id: 'of the dead', owner: 'dead', wakeAt: null },
        { id: 'of the living', owner: 'living', wakeAt: null },
        { id: 'over', owner: null, wakeAt: null },
      ]);
      const claimed = (await claim(['dead'])).map(({ executionId }) => executionId);
      assert.deepEqual(claimed.sort(), ['due', 'of the dead', 'queued']);
      assert.deepEqual(await claim(['dead']), []);
    });

    itSlow('does not scan runs that wait for a later time', async function () {
      this.timeout(120_000);
      const waiting = Array.from({ length: 100_000 }, (_, index) => `waiting ${index}`);
      await store(waiting.map((id, index) => ({ id, owner: '', wakeAt: now + 1 + index })));
      await claim();
      const scan = () => db.knex('executions').where('error_message', 'none').select('id');
      // The shortest, because a busy machine delays most of them.
      const shortestMs = async (search: () => PromiseLike<unknown[]>): Promise<number> => {
        const taken: number[] = [];
        for (let round = 0; round < 21; round += 1) {
          const started = performance.now();
          assert.deepEqual(await search(), []);
          taken.push(performance.now() - started);
        }
        return Math.min(...taken);
      };
      const [claimMs, scanMs] = [await shortestMs(() => claim(['dead'])), await shortestMs(scan)];
      assert.ok(claimMs < scanMs / 2, `a claim took ${claimMs} ms, a scan of all runs ${scanMs} ms`);
    });
  });
});
