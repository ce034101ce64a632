import { executionNotFound } from '../../errors/execution-errors.ts';
import { branchNotCancellable, executionEnded, executionNotCancellable } from '../../errors/flow-errors.ts';
import type { Database } from '../../store/database.ts';
import { findExecution } from '../../store/executions.ts';
import { type ClaimedRun, findClaimableRun } from '../../store/run-claims.ts';
import type { TransientMap } from '../../transient-map.ts';
import type { RunWaits } from '../wait/run-waits.ts';
import type { ActiveRun } from './active-run.ts';

interface CancelOptions {
  db: Database;
  /** The active runs of this process, by execution id. */
  runs: TransientMap<string, ActiveRun>;
  waits: Pick<RunWaits, 'next'>;
  /**
   * Takes over a run with the epoch of its next claim, and cancels it in the same row. Resolves with `undefined` if
   * there is nothing to cancel.
   */
  takeUp: (claim: ClaimedRun) => Promise<ActiveRun | undefined>;
  /** How long one attempt waits for the end of the run, in milliseconds. */
  timeoutMs: number;
}

/** Maximum attempts to cancel a run that moves between replicas. */
const maxAttempts = 5;

/**
 * Cancels a run on any replica. Resolves once its end is committed.
 *
 * @throws ApiError 404 for an unknown execution, 409 for a branch or an execution that has ended
 */
export async function cancelRun(
  { db, runs, waits, takeUp, timeoutMs }: CancelOptions,
  { tenantId, executionId }: { tenantId: string; executionId: string },
): Promise<void> {
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const execution = await findExecution(db, tenantId, executionId);
    if (!execution) throw executionNotFound();
    const root = execution.lineageRootExecutionId;
    if (root !== null) throw branchNotCancellable(root);
    // The previous attempt may have succeeded without the wait observing it.
    if (attempt > 1 && execution.status === 'CANCELLED') return;
    if (execution.completedAt !== null) throw executionEnded(execution.status);
    const claim = runs.has(executionId) ? undefined : await findClaimableRun(db, { tenantId, executionId });
    // The run may have become active in this process in the meantime.
    const active = runs.get(executionId);
    active?.actions.cancel();
    const run = active ?? (claim && (await takeUp(claim)));
    const ended = run && waits.next(executionId, timeoutMs);
    if (active) active.pump();
    else run?.activate();
    if ((await ended)?.kind === 'cancelled') return;
  }
  throw executionNotCancellable('the execution is changing hands: try again');
}
