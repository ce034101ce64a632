import assert from 'node:assert/strict';
import type { Database } from '../../../service/store/database.ts';
import { type Execution, executions } from '../../../service/store/executions.ts';
import { listExecutions } from '../../../service/store/list-executions.ts';
import { toRow } from '../../../service/store/table.ts';
import { eachDatabase } from '../../support/databases.ts';
import { sampleExecution, storedTenant } from '../../support/sample-records.ts';

/** The number of executions that one statement examines. */
const examinedAtOnce = 4_000;
const count = 2 * examinedAtOnce + 1;

describe('listing executions with a filter', () => {
  eachDatabase((open) => {
    let db: Database;
    let tenantId: string;
    /** Newest first. */
    let stored: Execution[];
    before(async () => {
      db = await open();
      tenantId = (await storedTenant(db.knex)).id;
      const failed = new Set([0, examinedAtOnce - 1, examinedAtOnce, 2 * examinedAtOnce - 1, count - 1]);
      const root = idOf(examinedAtOnce);
      stored = Array.from({ length: count }, (_, n) =>
        sampleExecution(tenantId, {
          id: idOf(n),
          ...(failed.has(n) && { status: 'FAILED' }),
          ...(n === 1 && { lineageRootExecutionId: root }),
        }),
      );
      await db.transaction(async (tx) => {
        const rows = stored.map((execution) => toRow(executions, execution));
        await tx.batchInsert(executions.name, rows, 40);
      });
    });

    const all = { statuses: [], branches: 'all' } as const;
    const places = (found: readonly Execution[]): number[] =>
      found.map(({ id }) => count - Number(id.slice(2)));

    it('finds matches at the boundaries of each statement', async () => {
      const filter = { ...all, statuses: ['FAILED'] } as const;
      const whole = await listExecutions(db.knex, tenantId, filter, { limit: 5 });
      const expected = [0, examinedAtOnce - 1, examinedAtOnce, 2 * examinedAtOnce - 1, count - 1];
      assert.deepEqual([places(whole.executions), whole.hasMore], [expected, false]);

      const first = await listExecutions(db.knex, tenantId, filter, { limit: 2 });
      assert.deepEqual([places(first.executions), first.hasMore], [expected.slice(0, 2), true]);
      const after = first.executions.at(-1)?.id;
      const rest = await listExecutions(db.knex, tenantId, filter, { after, limit: 3 });
      assert.deepEqual([places(rest.executions), rest.hasMore], [expected.slice(2), false]);
    });

    it('returns an empty list without a match', async () => {
      const none = await listExecutions(db.knex, tenantId, { ...all, graphId: 'unknown' }, { limit: 5 });
      assert.deepEqual(none, { executions: [], hasMore: false });
    });

    it('finds the branches of a run among newer executions', async () => {
      const filter = { ...all, branches: { of: idOf(examinedAtOnce) } };
      const branches = await listExecutions(db.knex, tenantId, filter, { limit: 5 });
      assert.deepEqual([places(branches.executions), branches.hasMore], [[1], false]);
    });

    it('returns every execution once across pages without a filter on the status', async () => {
      const found: number[] = [];
      for (let after: string | undefined; ;) {
        const page = await listExecutions(db.knex, tenantId, all, { after, limit: 999 });
        found.push(...places(page.executions));
        if (!page.hasMore) break;
        after = page.executions.at(-1)?.id;
      }
      assert.deepEqual(
        found,
        Array.from({ length: count }, (_, n) => n),
      );
    });
  });
});

/** The id of the n-th execution, newest first. */
function idOf(n: number): string {
  return `e_${String(count - n).padStart(6, '0')}`;
}
