import * as operations from '../../../specs/operations/executions.ts';
import { mayFollow } from '../../engine/events/may-follow.ts';
import { executionNotFound } from '../../errors/execution-errors.ts';
import type { Database } from '../../store/database.ts';
import { type Execution, findExecution } from '../../store/executions.ts';
import { journalHeads } from '../../store/journal-heads.ts';
import { listExecutions } from '../../store/list-executions.ts';
import { bind, type Route } from '../bind.ts';
import { pageCursors } from '../page-cursor.ts';
import { presentExecution } from '../present/execution.ts';

/** Execution history (SPEC.md, Execution record). */
export function executionRoutes({ db }: { db: Database }): Route[] {
  return [
    bind(operations.getExecution, async ({ principal, params }) => {
      const execution = await findExecution(db.knex, principal.tenant.id, params.execution_id);
      if (!execution || !(await mayFollow(db, principal, execution.id))) throw executionNotFound();
      return { status: 200, body: (await presentAll(db, [execution]))[0] ?? {} };
    }),
    bind(operations.listExecutions, async ({ principal, query }) => {
      const tenantId = principal.tenant.id;
      const filter = {
        statuses: [...new Set(query.status)].sort(),
        graphId: query.graph_id,
        createdFrom: query.created_after,
        createdBefore: query.created_before,
      };
      const cursors = pageCursors(['executions', tenantId, filter]);
      const after = query.cursor === undefined ? undefined : cursors.read(query.cursor);
      // One more than asked for tells whether there is a page after this one.
      const found = await listExecutions(db.knex, tenantId, filter, { after, limit: query.limit + 1 });
      const page = found.slice(0, query.limit);
      const last = found.length > page.length ? page.at(-1) : undefined;
      return {
        status: 200,
        body: {
          executions: await presentAll(db, page),
          ...(last && { next_cursor: cursors.write(last.id) }),
        },
      };
    }),
  ];
}

/** Records of one tenant, with the checkpoints that their journals end with. */
async function presentAll(db: Database, page: readonly Execution[]): Promise<object[]> {
  const runs = page.filter(
    ({ graphId, lineageRootExecutionId }) => graphId !== null && lineageRootExecutionId === null,
  );
  const [first] = runs;
  const heads = first
    ? await journalHeads(
        db.knex,
        first.tenantId,
        runs.map(({ id }) => id),
      )
    : new Map<string, number>();
  return page.map((execution) => presentExecution(execution, heads.get(execution.id)));
}
