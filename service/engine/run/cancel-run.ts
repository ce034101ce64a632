import { executionNotFound } from '../../errors/execution-errors.ts';
import { branchNotCancellable, executionNotCancellable } from '../../errors/flow-errors.ts';
import type { Database } from '../../store/database.ts';
import { findExecution } from '../../store/executions.ts';
import { type ClaimedRun, claimRun } from '../../store/run-claims.ts';
import type { TransientMap } from '../../transient-map.ts';
import type { RunWaits } from '../wait/run-waits.ts';
import type { ActiveRun } from './active-run.ts';

interface CancelOptions {
  db: Database;
  replica: string;
  /** The active runs of this process, by execution id. */
  runs: TransientMap<string, ActiveRun>;
  waits: Pick<RunWaits, 'next'>;
  /** Takes over a claimed run and cancels it in the same row; `undefined` if there is nothing to cancel. */
  takeUp: (claimed: ClaimedRun) => Promise<ActiveRun | undefined>;
  /** How long one attempt waits for the end of the run, milliseconds. */
  timeoutMs: number;
}

/** Attempts to cancel a run that moves between replicas. */
const maxAttempts = 5;

/**
 * Cancels a run, whichever replica it runs on. Resolves once its end is committed.
 *
 * @throws ApiError 404 for an unknown execution, 409 for a branch or an execution that is over
 */
export async function cancelRun(
  { db, replica, runs, waits, takeUp, timeoutMs }: CancelOptions,
  { tenantId, executionId }: { tenantId: string; executionId: string },
): Promise<void> {
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const execution = await findExecution(db.knex, tenantId, executionId);
    if (!execution) throw executionNotFound();
    const root = execution.lineageRootExecutionId;
    if (root !== null) throw branchNotCancellable(root);
    // The previous attempt may have succeeded without the wait observing it.
    if (attempt > 1 && execution.status === 'CANCELLED') return;
    if (execution.completedAt !== null) throw executionNotCancellable('the execution is over');
    const claim = { tenantId, executionId, replica };
    const claimed = runs.has(executionId) ? undefined : await claimRun(db.knex, claim);
    // The run may have become active here during the claim.
    const active = runs.get(executionId);
    active?.actions.cancel();
    const run = active ?? (claimed && (await takeUp(claimed)));
    const ended = run && waits.next(executionId, timeoutMs);
    if (active) active.pump();
    else run?.resume();
    if ((await ended)?.kind === 'cancelled') return;
  }
  throw executionNotCancellable('the execution is changing hands: try again');
}
