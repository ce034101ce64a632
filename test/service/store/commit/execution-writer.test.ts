import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../../../service/store/database.ts';
import { wholeJournal } from '../../../support/whole-journal.ts';
import { findExecution } from '../../../../service/store/executions.ts';
import {
  createExecutionWriter,
  type ExecutionWriter,
} from '../../../../service/store/commit/execution-writer.ts';
import { migrateDatabase } from '../../../../service/store/migrate.ts';
import { openDatabase } from '../../../../service/store/open-database.ts';
import { eachDatabase, openAgain, postgresOptions } from '../../../support/databases.ts';
import { hostileText, sampleExecution, storedTenant } from '../../../support/sample-records.ts';
import { suiteNeeds } from '../../../support/toolchains.ts';

describe('the execution writer', () => {
  eachDatabase((open) => {
    let db: Database;
    /** Another process, which sees committed data only. */
    let elsewhere: Database;
    let writer: ExecutionWriter;
    let tenantId: string;
    before(async () => {
      db = await open();
      elsewhere = await openAgain(db);
      tenantId = (await storedTenant(db.knex)).id;
    });
    beforeEach(() => {
      writer = createExecutionWriter(db);
    });
    afterEach(() => writer.close());

    it('stores every field of node calls and runs', async () => {
      const call = sampleExecution(tenantId, { status: 'FAILED', errorMessage: hostileText });
      const nothing = { nodeId: null, nodeFqn: null, completedAt: null };
      const run = sampleExecution(tenantId, {
        ...nothing,
        status: 'RUNNING',
        graphId: 'g',
        graphArtifactId: 'a',
      });
      await Promise.all([writer.write(call), writer.write(run)]);
      assert.deepEqual(await findExecution(elsewhere, tenantId, call.id), call);
      assert.deepEqual(await findExecution(elsewhere, tenantId, run.id), run);
      assert.equal(await findExecution(elsewhere, 'another tenant', run.id), undefined);
    });

    it('resolves only after the record is committed', async () => {
      const records = Array.from({ length: 700 }, () => sampleExecution(tenantId));
      let seen = 0;
      await Promise.all(
        records.map(async (record) => {
          await writer.write(record);
          if (await findExecution(elsewhere, tenantId, record.id)) seen += 1;
        }),
      );
      assert.equal(seen, records.length);
    });

    it('stores the last of several states of an execution', async () => {
      const running = sampleExecution(tenantId, { status: 'RUNNING', completedAt: null });
      await writer.write(running);
      const failed = {
        ...running,
        status: 'FAILED',
        errorMessage: 'no',
        updatedAt: 9,
        completedAt: 9,
      } as const;
      const states = [{ ...running, updatedAt: 5 }, { ...running, updatedAt: 7 }, failed];
      await Promise.all(states.map((state) => writer.write(state)));
      assert.deepEqual(await findExecution(elsewhere, tenantId, running.id), failed);
    });

    it('rejects one invalid record without affecting others', async () => {
      const good = [sampleExecution(tenantId), sampleExecution(tenantId)];
      const orphan = sampleExecution('no such tenant');
      const [first, refused, second] = await Promise.allSettled(
        [good[0]!, orphan, good[1]!].map((record) => writer.write(record)),
      );
      assert.equal(first?.status, 'fulfilled');
      assert.equal(second?.status, 'fulfilled');
      assert.equal(refused?.status, 'rejected');
      assert.match(String(refused.reason), /foreign key/i);
      for (const { id } of good) assert.ok(await findExecution(elsewhere, tenantId, id));
    });

    it('commits the journal of a call no later than its execution', async () => {
      const calls = Array.from({ length: 300 }, () => sampleExecution(tenantId));
      const rowsOf = (id: string): Promise<{ seq: number; body: string }[]> =>
        wholeJournal(elsewhere, { tenantId, executionId: id });
      await Promise.all(
        calls.map(async (call) => {
          for (const seq of [0, 1]) {
            void writer.append({ tenantId, executionId: call.id, seq, body: `["${hostileText}"]`, at: 5 });
          }
          await writer.write(call);
          const rows = await rowsOf(call.id);
          assert.deepEqual(
            rows.map(({ seq, body }) => [seq, body]),
            [0, 1].map((seq) => [seq, `["${hostileText}"]`]),
          );
        }),
      );
    });

    it('rejects a duplicate journal row without affecting others', async () => {
      const { id: executionId } = sampleExecution(tenantId);
      const row = { tenantId, executionId, seq: 0, body: '[]', at: 5 };
      await writer.append(row);
      const call = sampleExecution(tenantId);
      const [again, next, written] = await Promise.allSettled([
        writer.append(row),
        writer.append({ ...row, seq: 1 }),
        writer.write(call),
      ]);
      assert.deepEqual([again.status, next.status, written.status], ['rejected', 'fulfilled', 'fulfilled']);
      assert.equal((await wholeJournal(elsewhere, { tenantId, executionId })).length, 2);
      assert.ok(await findExecution(elsewhere, tenantId, call.id));
    });

    it('combines concurrent writes into a few transactions', async () => {
      if (db.dialect === 'sqlite') await db.knex.raw('pragma wal_checkpoint(truncate)');
      const before = await commits(db);
      await Promise.all(Array.from({ length: 300 }, () => writer.write(sampleExecution(tenantId))));
      const spent = (await commits(db)) - before;
      assert.ok(spent > 0 && spent < 150, `300 records took ${spent}`);
    });

    it('finishes pending writes when closed, and rejects new ones', async () => {
      const record = sampleExecution(tenantId);
      const written = writer.write(record);
      await writer.close();
      assert.ok(await findExecution(elsewhere, tenantId, record.id));
      await written;
      await assert.rejects(writer.write(sampleExecution(tenantId)), /the database is being closed/);
    });
  });
});

suiteNeeds('postgres', 'the execution writer on PostgreSQL', function () {
  this.timeout(180_000);

  it('does not resolve before the commit', async () => {
    const options = await postgresOptions();
    const [db, elsewhere] = [await openDatabase(options), await openDatabase(options)];
    const writer = createExecutionWriter(db);
    try {
      await migrateDatabase(db);
      const record = sampleExecution((await storedTenant(db.knex)).id);
      const block = await elsewhere.knex.transaction();
      await block.raw('lock table executions in exclusive mode');
      let answered = false;
      const written = writer.write(record).then(() => (answered = true));
      await pause(100);
      assert.equal(answered, false);
      await block.rollback();
      await written;
      assert.deepEqual(await findExecution(elsewhere, record.tenantId, record.id), record);
    } finally {
      await writer.close();
      await db.close();
      await elsewhere.close();
      await rm(options.dataDir, { recursive: true });
    }
  });
});

/**
 * A counter that every commit increases by at least one: the number of writing transactions on PostgreSQL, and the pages in the log
 * on SQLite.
 */
async function commits(db: Database): Promise<number> {
  if (db.dialect === 'sqlite') {
    const [row]: { log: number }[] = await db.knex.raw('pragma wal_checkpoint(passive)');
    return row!.log;
  }
  const { rows }: { rows: { id: string }[] } = await db.knex.raw('select pg_current_xact_id()::text as id');
  return Number(rows[0]!.id);
}
