import assert from 'node:assert/strict';
import type { Database } from '../../../../service/store/database.ts';
import { type Execution, findExecution } from '../../../../service/store/executions.ts';
import type { Admission, Transition } from '../../../../service/store/commit/run-operation.ts';
import { createRunWriter, type RunWriter } from '../../../../service/store/commit/run-writer.ts';
import { wholeJournal } from '../../../support/whole-journal.ts';
import { eachDatabase, openAgain } from '../../../support/databases.ts';
import { sampleExecution, storedTenant } from '../../../support/sample-records.ts';

const caps = { invocations: 1000, executions: 1000 };

describe('the run writer', () => {
  eachDatabase((open) => {
    let db: Database;
    let elsewhere: Database;
    let writer: RunWriter;
    let tenantId: string;
    before(async () => {
      db = await open();
      elsewhere = await openAgain(db);
    });
    beforeEach(async () => {
      tenantId = (await storedTenant(db.knex)).id;
      writer = createRunWriter({ db, windowMs: 1000 });
    });
    afterEach(() => writer.close());

    const running = (fields: Partial<Execution> = {}): Execution =>
      sampleExecution(tenantId, {
        status: 'RUNNING',
        nodeId: null,
        nodeFqn: null,
        completedAt: null,
        ...fields,
      });
    const admission = (fields: Partial<Admission> = {}): Admission => {
      const execution = fields.execution ?? running();
      return { kind: 'admit', execution, owner: 'me', body: '[0]', keyHash: execution.id, caps, ...fields };
    };
    const transition = (executionId: string, fields: Partial<Transition> = {}): Transition => ({
      kind: 'append',
      tenantId,
      executionId,
      seq: 1,
      body: '[1]',
      at: running().createdAt,
      branches: [],
      caps,
      ends: [],
      ...fields,
    });
    const bodies = async (id: string): Promise<string[]> =>
      (await wholeJournal(elsewhere, { tenantId, executionId: id })).map(({ body }) => body);
    const used = async (): Promise<number> => {
      const rows = await elsewhere
        .knex<{ tenant_id: string; executions: number }>('daily_usage')
        .select('executions')
        .where({ tenant_id: tenantId });
      return rows.reduce((sum, { executions }) => sum + executions, 0);
    };

    it('resolves only after the execution and journal are committed', async () => {
      const admissions = Array.from({ length: 200 }, () => admission());
      await Promise.all(
        admissions.map(async (each) => {
          assert.deepEqual(await writer.write(each), { kind: 'done' });
          assert.deepEqual(await findExecution(elsewhere, tenantId, each.execution.id), each.execution);
          assert.deepEqual(await bodies(each.execution.id), ['[0]']);
        }),
      );
      assert.equal(await used(), 200);
    });

    it('fences a transition with an existing journal row, including all its changes', async () => {
      const { execution } = admission();
      await writer.write(admission({ execution }));
      assert.deepEqual(await writer.write(transition(execution.id)), { kind: 'done' });
      const branch = running({ lineageRootExecutionId: execution.id });
      const late = transition(execution.id, {
        body: '["late"]',
        branches: [branch],
        ends: [
          {
            executionId: execution.id,
            status: 'FAILED',
            errorMessage: 'no',
            failureKind: null,
            failedNode: null,
          },
        ],
        releaseUntil: 7,
      });
      const neighbour = admission();
      const outcomes = await Promise.all([writer.write(late), writer.write(neighbour)]);
      assert.deepEqual(outcomes, [{ kind: 'fenced' }, { kind: 'done' }]);
      assert.deepEqual(await bodies(execution.id), ['[0]', '[1]']);
      assert.equal((await findExecution(elsewhere, tenantId, execution.id))?.status, 'RUNNING');
      assert.equal(await findExecution(elsewhere, tenantId, branch.id), undefined);
      assert.equal(await used(), 2);
    });

    it('starts and ends branches with their journal row, even within one row', async () => {
      const { execution } = admission();
      await writer.write(admission({ execution }));
      const [lasting, passing] = [
        running({ lineageRootExecutionId: execution.id }),
        running({ lineageRootExecutionId: execution.id }),
      ];
      await writer.write(
        transition(execution.id, {
          branches: [lasting, passing],
          ends: [
            {
              executionId: passing.id,
              status: 'FAILED',
              errorMessage: 'broken',
              failureKind: 'NODE_ERROR',
              failedNode: 'a',
            },
          ],
          at: 9,
        }),
      );
      assert.equal((await findExecution(elsewhere, tenantId, lasting.id))?.status, 'RUNNING');
      const ended = await findExecution(elsewhere, tenantId, passing.id);
      assert.deepEqual([ended?.status, ended?.errorMessage, ended?.completedAt], ['FAILED', 'broken', 9]);
      assert.equal(await used(), 3);
    });

    it('writes nothing of an operation over quota, without affecting others', async () => {
      const tight = { invocations: 1000, executions: 2 };
      const { execution } = admission();
      await writer.write(admission({ execution, caps: tight }));
      const fan = transition(execution.id, { branches: [running(), running()], caps: tight });
      const step = transition(execution.id, { body: '["alone"]' });
      const [refused, done] = await Promise.all([writer.write(fan), writer.write(step)]);
      assert.deepEqual(refused, { kind: 'over_quota', quota: 'executions', cap: 2 });
      assert.deepEqual(done, { kind: 'done' });
      assert.deepEqual(await bodies(execution.id), ['[0]', '["alone"]']);
      assert.equal(await used(), 1);
    });

    it('returns the existing execution for a duplicate', async () => {
      const first = admission({ keyHash: 'same' });
      const at = first.execution.createdAt;
      await writer.write(first);
      const within = admission({ keyHash: 'same', execution: running({ createdAt: at + 999 }) });
      const after = admission({ keyHash: 'same', execution: running({ createdAt: at + 1000 }) });
      assert.deepEqual(await writer.write(within), { kind: 'duplicate', executionId: first.execution.id });
      assert.deepEqual(await writer.write(after), { kind: 'done' });
    });

    it('returns the same execution for an admission that is written again', async () => {
      const { execution } = admission();
      const branch = running({ lineageRootExecutionId: execution.id });
      const tight = { invocations: 1, executions: 2 };
      const each = admission({ execution, caps: tight, inflight: 1, fork: { seq: 3, branches: [branch] } });
      assert.deepEqual(await writer.write(each), { kind: 'done' });
      const own = { kind: 'duplicate', executionId: execution.id };
      assert.deepEqual(await writer.write(each), own);
      // The key is still taken.
      assert.deepEqual(await writer.write(admission({ keyHash: each.keyHash })), own);
      assert.equal(await used(), 2);
      const plain = admission();
      assert.deepEqual(await writer.write(plain), { kind: 'done' });
      assert.deepEqual(await writer.write(plain), { kind: 'duplicate', executionId: plain.execution.id });
    });

    it('rejects an operation with an unknown tenant, and commits the others', async () => {
      const orphan = admission({ execution: sampleExecution('no such tenant') });
      const [refused, done] = await Promise.allSettled([writer.write(orphan), writer.write(admission())]);
      assert.equal(refused.status, 'rejected');
      assert.equal(done.status, 'fulfilled');
    });

    it('finishes pending operations when closed, and rejects new ones', async () => {
      const each = admission();
      const written = writer.write(each);
      await writer.close();
      assert.deepEqual(await written, { kind: 'done' });
      await assert.rejects(writer.write(admission()), /closed/);
    });
  });
});
