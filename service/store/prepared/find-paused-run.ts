import type { Database } from '../database.ts';
import { type Execution, executions } from '../executions.ts';
import { type Pause, pauses } from '../pauses.ts';
import type { ClaimedRun } from '../run-claims.ts';
import { fromRow, prefixedColumns, withFields } from '../table.ts';
import { prepareSharedQuery } from './shared-query.ts';

/** The fields of an execution that a decision needs. */
export type PausedExecution = Pick<Execution, 'status' | 'completedAt' | 'graphId' | 'mutationEnabled'>;

const run = withFields(executions, ['status', 'completedAt', 'graphId', 'mutationEnabled']);

const query = prepareSharedQuery(
  `select ${prefixedColumns(run, 'run_')}, ${prefixedColumns(pauses, 'pause_')},
     executions.owner as owner, executions.epoch + 1 as next_epoch
   from executions left join pauses on pauses.tenant_id = executions.tenant_id and pauses.id = ?
   where executions.tenant_id = ? and executions.id = ?`,
  ['text', 'text', 'text'],
);

interface PausedRun {
  execution: PausedExecution;
  /** The pause with the requested id, which may belong to another run of the tenant. */
  pause: Pause | undefined;
  /** The next claim of the run, as `findClaimableRun` returns it. Absent if the run has ended. */
  claim: ClaimedRun | undefined;
}

/**
 * Returns everything that a decision on a pause needs, in one query, or `undefined` if the tenant has no such
 * execution.
 */
export async function findPausedRun(
  db: Database,
  { tenantId, executionId, pauseId }: { tenantId: string; executionId: string; pauseId: string },
): Promise<PausedRun | undefined> {
  const [row] = await query(db, [pauseId, tenantId, executionId]);
  if (!row) return undefined;
  const execution = fromRow(run, row, 'run_');
  const { graphId } = execution;
  return {
    execution,
    pause: row.pause_id === null ? undefined : fromRow(pauses, row, 'pause_'),
    claim:
      row.owner === null || graphId === null
        ? undefined
        : { tenantId, executionId, graphId, epoch: Number(row.next_epoch) },
  };
}
