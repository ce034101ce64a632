import assert from 'node:assert/strict';
import { commitRunsOnPostgres } from '../../../../service/store/commit/commit-runs-on-postgres.ts';
import type { Admission, Transition } from '../../../../service/store/commit/run-operation.ts';
import type { Database } from '../../../../service/store/database.ts';
import { migratedPostgresOptions } from '../../../support/databases.ts';
import { openDatabase } from '../../../../service/store/open-database.ts';
import { sampleExecution, storedTenant } from '../../../support/sample-records.ts';
import { suiteNeeds } from '../../../support/toolchains.ts';

const windowMs = 1000;
const caps = { invocations: 1000, executions: 1000 };

suiteNeeds('postgres', 'group commits of two replicas', function () {
  this.timeout(180_000);
  let replicas: Database[];
  before(async () => {
    const options = await migratedPostgresOptions();
    replicas = [await openDatabase(options), await openDatabase(options)];
  });
  after(async () => {
    for (const db of replicas) await db.close();
  });

  it('lock the same runs in the same order', async () => {
    const [one, two] = replicas as [Database, Database];
    const { id: tenantId } = await storedTenant(one.knex);
    const admissions = Array.from({ length: 200 }, (): Admission => {
      const execution = sampleExecution(tenantId, {
        status: 'RUNNING',
        nodeId: null,
        nodeFqn: null,
        completedAt: null,
      });
      return { kind: 'admit', execution, owner: 'r', body: '[0]', keyHash: execution.id, caps };
    });
    await commitRunsOnPostgres(one, admissions, windowMs);
    const transitions = (seq: number): Transition[] =>
      admissions.map(({ execution: { id: executionId, createdAt: at } }) => ({
        kind: 'append',
        tenantId,
        executionId,
        seq,
        body: '[1]',
        at,
        branches: [],
        caps,
        ends: [],
        releaseUntil: at,
      }));
    for (let seq = 1; seq <= 40; seq += 2) {
      const outcomes = await Promise.all([
        commitRunsOnPostgres(one, transitions(seq), windowMs),
        commitRunsOnPostgres(two, transitions(seq + 1).toReversed(), windowMs),
      ]);
      for (const { kind } of outcomes.flat()) assert.equal(kind, 'done');
    }
  });
});
