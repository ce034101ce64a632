import assert from 'node:assert/strict';
import type { Database } from '../../../service/store/database.ts';
import { aliveReplicas, beat, deadReplicas } from '../../../service/store/replicas.ts';
import { eachDatabase } from '../../support/databases.ts';

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

    it('count when they are recent, and not when they are old or in the future', async () => {
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
  });
});
