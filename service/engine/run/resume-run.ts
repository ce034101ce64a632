import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from '../../store/database.ts';
import { findPause, type Pause } from '../../store/pauses.ts';
import { type ClaimedRun, findClaimableRun } from '../../store/run-claims.ts';
import type { TransientMap } from '../../transient-map.ts';
import type { ActiveRun } from './active-run.ts';
import type { NextActions, PauseDecision } from './next-actions.ts';

interface ResumeOptions {
  db: Database;
  /** The active runs of this process, by execution id. */
  runs: TransientMap<string, ActiveRun>;
  /** Takes over a run by the epoch of the next claim, and decides in the same row; `undefined` if another replica was faster. */
  takeUp: (claim: ClaimedRun, decide: (actions: NextActions) => boolean) => Promise<ActiveRun | undefined>;
}

/** Attempts to reach a run that moves between replicas, and the delay before each further one, milliseconds. */
const maxAttempts = 10;
const retryMs = 10;

/**
 * Delivers a decision to the run that waits for it, wherever it is: to the run in this process, or by taking it over. Resolves once
 * the first decision on the pause, or the end of the pause, is committed.
 *
 * @returns the pause, and whether this decision is the one; `undefined` if the run changes hands too often
 */
export async function resumeRun(
  { db, runs, takeUp }: ResumeOptions,
  { tenantId, executionId }: { tenantId: string; executionId: string },
  decision: PauseDecision,
): Promise<{ pause: Pause; won: boolean } | undefined> {
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    if (attempt > 0) await wait(retryMs);
    const active = runs.get(executionId);
    if (active) {
      active.actions.resume(decision);
      await active.flush();
    } else {
      const claim = await findClaimableRun(db.knex, { tenantId, executionId });
      const run = claim && (await takeUp(claim, (actions) => actions.resume(decision)));
      run?.resume();
    }
    const pause = await findPause(db.knex, tenantId, decision.pauseId);
    if (pause && pause.status !== 'WAITING') return { pause, won: pause.decisionId === decision.decisionId };
  }
  return undefined;
}
