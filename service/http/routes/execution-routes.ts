import type { z } from 'zod';
import { limits } from '../../../specs/limits.ts';
import * as operations from '../../../specs/operations/executions.ts';
import { mayFollow } from '../../engine/events/may-follow.ts';
import type { Clock } from '../../clock.ts';
import { executionNotFound } from '../../errors/execution-errors.ts';
import type { Database } from '../../store/database.ts';
import { type Execution, findExecution } from '../../store/executions.ts';
import { journalHeads } from '../../store/journal-heads.ts';
import { findWaitingPause } from '../../store/pauses.ts';
import { listExecutions } from '../../store/list-executions.ts';
import { FairQueue } from '../../work/fair-queue.ts';
import { bind, type Route } from '../bind.ts';
import { pageCursors } from '../page-cursor.ts';
import { presentExecution } from '../present/execution.ts';

interface ExecutionRouteOptions {
  db: Database;
  clock: Clock;
}

/** Maximum number of lists that are read concurrently, for all tenants. */
const listsAtOnce = 4;

/** Records of runs, branches and direct calls. `historyRoutes` has their events. */
export function executionRoutes({ db, clock }: ExecutionRouteOptions): Route[] {
  // A list may examine all executions of its tenant.
  const lists = new FairQueue({ clock, slots: listsAtOnce, slotsPerTenant: 1 });

  return [
    bind(operations.getExecution).to(async ({ principal, params }) => {
      const execution = await findExecution(db, principal.tenant.id, params.execution_id);
      if (!execution || !(await mayFollow(db, principal, execution.id))) throw executionNotFound();
      const [journalHead] = await headsOf(db, [execution]);
      const pauseId = await waitingPauseId(db, execution);
      return { status: 200, body: presentExecution(execution, journalHead, pauseId) };
    }),
    bind(operations.listExecutions).to(async ({ principal, query, signal: left }) => {
      const tenantId = principal.tenant.id;
      const filter = {
        statuses: [...new Set(query.status)].sort(),
        graphId: query.graph_id,
        createdFrom: query.created_after,
        createdBefore: query.created_before,
        branches: branchesOf(query),
      };
      const cursors = pageCursors(['executions', tenantId, filter]);
      const after = query.cursor === undefined ? undefined : cursors.read(query.cursor);
      const { executions: page, hasMore } = await lists.run(
        tenantId,
        (signal) => listExecutions(db.knex, tenantId, filter, { after, limit: query.limit, signal }),
        { signal: left, maxQueued: limits.waitingListsPerTenant },
      );
      const last = hasMore ? page.at(-1) : undefined;
      const heads = await headsOf(db, page);
      return {
        status: 200,
        body: {
          executions: page.map((execution, index) => presentExecution(execution, heads[index])),
          ...(last && { next_cursor: cursors.write(last.id) }),
        },
      };
    }),
  ];
}

function branchesOf({
  branches,
  lineage_root_execution_id: of,
}: z.infer<(typeof operations.listExecutions)['query']>): 'none' | 'all' | { of: string } {
  if (of !== undefined) return { of };
  return branches ? 'all' : 'none';
}

/** Returns the pause that a run waits at. */
async function waitingPauseId(
  db: Database,
  { status, tenantId, id }: Execution,
): Promise<string | undefined> {
  if (status !== 'RUNNING') return undefined;
  return (await findWaitingPause(db.knex, tenantId, id))?.id;
}

/** Returns the sequence number of the last journal row of each execution. All executions belong to one tenant. */
async function headsOf(db: Database, page: readonly Execution[]): Promise<(number | undefined)[]> {
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
  return page.map(({ id }) => heads.get(id));
}
