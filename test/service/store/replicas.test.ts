import assert from 'node:assert/strict';
import type { Database } from '../../../service/store/database.ts';
import { aliveReplicas, beat, deadReplicas, removeDeadReplicas } from '../../../service/store/replicas.ts';
import { eachDatabase } from '../../support/databases.ts';
import { sampleExecution, storedTenant } from '../../support/sample-records.ts';
import { createExecutionWriter } from '../../../service/store/commit/execution-writer.ts';

const deadAfterMs = 15_000;

eachDatabase((open) => {
  describe('heartbeats', () => {
    let db: Database;
    before(async () => {
      db = await open();
    });

    const beatAt = async (id: string, offsetMs: number): Promise<void> => {
      await beat(db.knex, id);
      await db.knex('replicas').where({ id }).increment('heartbeat_at', offsetMs);
    };

    it('are ignored when they are old or far in the future', async () => {
      await beatAt('now', 0);
      await beatAt('recent', -10_000);
      await beatAt('old', -15_000);
      // The clock of the machine was ahead, and the process ended before it was set back.
      await beatAt('slightly ahead', 10_000);
      await beatAt('far ahead', 7_200_000);
      assert.deepEqual(await deadReplicas(db.knex, deadAfterMs), ['far ahead', 'old']);
      const alive = (await aliveReplicas(db.knex, deadAfterMs)) as { id: string }[];
      assert.deepEqual(alive.map(({ id }) => id).sort(), ['now', 'recent', 'slightly ahead']);
    });

    it('of stopped processes are removed unless they own runs that wait for a takeover', async () => {
      await db.knex('replicas').delete();
      await beatAt('now', 0);
      await beatAt('silent for a while', -30_000);
      await beatAt('killed', -3_600_000);
      await beatAt('killed with runs', -3_600_000);
      const { id: tenantId } = await storedTenant(db.knex);
      const writer = createExecutionWriter(db);
      const owners = ['killed with runs', 'removed before its run'];
      for (const owner of owners) {
        const execution = sampleExecution(tenantId);
        await writer.write(execution);
        await db.knex('executions').where({ id: execution.id }).update({ owner });
      }
      await writer.close();
      await removeDeadReplicas(db.knex, 3_600_000);
      const left = (await db.knex('replicas').orderBy('id').pluck('id')) as string[];
      assert.deepEqual(left, ['killed with runs', 'now', 'removed before its run', 'silent for a while']);
      assert.partialDeepStrictEqual(await deadReplicas(db.knex, deadAfterMs), owners);
    });
  });
});
