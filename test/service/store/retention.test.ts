import assert from 'node:assert/strict';
import { firstExecutionId } from '../../../service/ids.ts';
import type { Database } from '../../../service/store/database.ts';
import { createExecutionWriter } from '../../../service/store/commit/execution-writer.ts';
import { deleteOldJournals, deleteOldKeys, deleteOldUsage } from '../../../service/store/retention.ts';
import { eachDatabase } from '../../support/databases.ts';
import { eventually } from '../../support/eventually.ts';
import { sampleExecution, someTime, storedTenant } from '../../support/sample-records.ts';

eachDatabase((open) => {
  describe('retention', () => {
    let db: Database;
    const removed: string[] = [];
    const blobs = {
      remove: (_tenantId: string, id: string) => {
        removed.push(id);
        return Promise.resolve();
      },
    };
    before(async () => {
      db = await open();
    });

    /** A run with two journal rows. Its id contains its creation time. */
    const addRun = async (
      tenantId: string,
      createdAt: number,
      completedAt: number | null,
    ): Promise<string> => {
      const id = firstExecutionId(createdAt).padEnd(32, '0');
      const writer = createExecutionWriter(db);
      const status = completedAt === null ? 'RUNNING' : 'COMPLETED';
      await writer.write(
        sampleExecution(tenantId, { id, status, createdAt, updatedAt: createdAt, completedAt }),
      );
      await writer.close();
      for (const seq of [0, 1]) {
        await db
          .knex('journal')
          .insert({ tenant_id: tenantId, execution_id: id, seq, body: '[]', at: createdAt });
      }
      return id;
    };
    const addPause = async (
      run: { tenant_id: string; execution_id: string },
      number: number,
    ): Promise<void> => {
      await db.knex('pauses').insert({
        ...run,
        id: `p${number}`,
        seq: 1,
        node: 'ask',
        status: 'RESUMED',
        question: '{}',
        resume_schema: 'M',
        created_at: someTime,
        expires_at: someTime,
      });
    };
    const journals = async (tenantId: string): Promise<string[]> =>
      db
        .knex('journal')
        .distinct('execution_id')
        .where({ tenant_id: tenantId })
        .orderBy('execution_id')
        .pluck('execution_id');

    it('deletes the journals and blobs of runs that ended before the cutoff', async () => {
      const { id: tenantId } = await storedTenant(db.knex);
      const { id: other } = await storedTenant(db.knex);
      const old = [
        await addRun(tenantId, someTime - 10, someTime - 1),
        await addRun(other, someTime - 11, someTime - 1),
      ];
      const endedThen = await addRun(tenantId, someTime - 9, someTime);
      const endedLater = await addRun(tenantId, someTime - 8, someTime + 1);
      const stillRunning = await addRun(tenantId, someTime - 7, null);
      const begunLater = await addRun(tenantId, someTime + 1, someTime + 1);

      assert.equal(await deleteOldJournals(db.knex, blobs, someTime), 2);
      assert.deepEqual(await journals(tenantId), [endedThen, endedLater, stillRunning, begunLater]);
      assert.deepEqual(await journals(other), []);
      assert.deepEqual(removed.sort(), old.sort());
      assert.equal(await deleteOldJournals(db.knex, blobs, someTime), 0);
    });

    it('deletes the pauses of a run with its journal', async () => {
      const { id: tenantId } = await storedTenant(db.knex);
      const old = await addRun(tenantId, someTime - 10, someTime - 1);
      const endedThen = await addRun(tenantId, someTime - 9, someTime);
      for (const [index, execution_id] of [old, endedThen].entries()) {
        const key = { tenant_id: tenantId, execution_id };
        await addPause(key, index);
        await db
          .knex('late_decisions')
          .insert({ ...key, pause_id: `p${index}`, id: 'd', decided_at: someTime, resumed_by: '' });
      }
      await deleteOldJournals(db.knex, blobs, someTime);
      for (const table of ['pauses', 'late_decisions']) {
        assert.deepEqual(await db.knex(table).where({ tenant_id: tenantId }).pluck('execution_id'), [
          endedThen,
        ]);
      }
    });

    it('deletes all pauses of a run before its journal, including those left by another replica', async () => {
      // SQLite has one writer at a time.
      if (db.dialect === 'sqlite') return;
      const { id: tenantId } = await storedTenant(db.knex);
      const old = await addRun(tenantId, someTime - 10, someTime - 1);
      for (let n = 0; n < 250; n += 1) await addPause({ tenant_id: tenantId, execution_id: old }, n);
      const some = db.knex('pauses').where({ tenant_id: tenantId });
      let sweep: Promise<number> | undefined;
      // The other one deletes some in a statement of its own, which this one waits for, and then dies.
      await db.transaction(async (tx) => {
        await tx('pauses')
          .whereIn(['tenant_id', 'id'], some.clone().select('tenant_id', 'id').orderBy('id').limit(240))
          .delete();
        sweep = deleteOldJournals(db.knex, blobs, someTime);
        await eventually(async () => {
          const waiting: unknown = await db.knex('pg_locks').where({ granted: false }).first('pid');
          return waiting === undefined ? undefined : true;
        });
      });
      assert.equal(await sweep, 1);
      assert.deepEqual(await some.clone().pluck('id'), []);
      assert.deepEqual(await journals(tenantId), []);
    });

    it('deletes the journal of a direct call whose process died', async () => {
      const { id: tenantId } = await storedTenant(db.knex);
      for (const createdAt of [someTime - 1, someTime]) {
        await db.knex('journal').insert({
          tenant_id: tenantId,
          execution_id: firstExecutionId(createdAt).padEnd(32, '0'),
          seq: 0,
          body: '[]',
          at: createdAt,
        });
      }
      assert.equal(await deleteOldJournals(db.knex, blobs, someTime), 1);
      assert.deepEqual(await journals(tenantId), [firstExecutionId(someTime).padEnd(32, '0')]);
    });

    it('deletes old journals behind any number of retained ones', async () => {
      const { id: tenantId } = await storedTenant(db.knex);
      const running: string[] = [];
      for (let index = 0; index < 60; index += 1) {
        running.push(await addRun(tenantId, someTime - 1_000 + index, null));
      }
      for (let index = 0; index < 5; index += 1) await addRun(tenantId, someTime - 500 + index, someTime - 1);
      assert.equal(await deleteOldJournals(db.knex, blobs, someTime), 5);
      assert.deepEqual(await journals(tenantId), running);
    });

    it('retains executions', async () => {
      const { id: tenantId } = await storedTenant(db.knex);
      const id = await addRun(tenantId, someTime - 10, someTime - 1);
      await deleteOldJournals(db.knex, blobs, someTime);
      assert.deepEqual(await db.knex('executions').where({ tenant_id: tenantId }).pluck('id'), [id]);
    });

    it('deletes idempotency keys in several statements', async () => {
      const { id: tenantId } = await storedTenant(db.knex);
      const rows = Array.from({ length: 1_205 }, (_, index) => ({
        tenant_id: tenantId,
        key_hash: `hash-${index}`,
        execution_id: 'e',
        created_at: index < 1_200 ? someTime - 1 : someTime,
      }));
      await db.knex.batchInsert('idempotency', rows, 200);
      assert.equal(await deleteOldKeys(db.knex, someTime), 1_200);
      assert.equal((await db.knex('idempotency').where({ tenant_id: tenantId }).pluck('key_hash')).length, 5);
    });

    it('deletes old daily usage', async () => {
      const { id: tenantId } = await storedTenant(db.knex);
      const rows = [20_000, 20_001, 20_002].map((day) => ({
        tenant_id: tenantId,
        day,
        invocations: 1,
        executions: 1,
      }));
      await db.knex('daily_usage').insert(rows);
      assert.equal(await deleteOldUsage(db.knex, 20_001), 1);
      assert.deepEqual(
        await db.knex('daily_usage').where({ tenant_id: tenantId }).orderBy('day').pluck('day'),
        [20_001, 20_002],
      );
    });
  });
});
