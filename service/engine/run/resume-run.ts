import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from '../../clock.ts';
import { columnText } from '../../store/column-text.ts';
import type { Database } from '../../store/database.ts';
import { findPause, type Pause } from '../../store/pauses.ts';
import { type ClaimedRun, findClaimableRun } from '../../store/run-claims.ts';
import type { TransientMap } from '../../transient-map.ts';
import type { ActiveRun } from './active-run.ts';
import type { NextActions, PauseDecision } from './next-actions.ts';

/** Dependencies for delivering a decision to its run. */
export interface ResumeOptions {
  db: Database;
  clock: Clock;
  /** The active runs of this process, by execution id. */
  runs: TransientMap<string, ActiveRun>;
  /**
   * Takes over a run with the epoch of its next claim, and decides and draws quota in the same row. Resolves with
   * `undefined` if another replica was faster.
   */
  takeUp: (
    claim: ClaimedRun,
    how: { decide: (actions: NextActions) => boolean; invocations: number; onCommit: () => void },
  ) => Promise<ActiveRun | undefined>;
  /** Draws an invocation, separately from the decision. If undefined, the decision draws none. */
  draw?: (() => Promise<void>) | undefined;
  /** The waiting pause and the next claim of its run, as far as the caller has read them. */
  known?: { pause: Pause; claim: ClaimedRun | undefined } | undefined;
}

/** Maximum attempts to reach a run that moves between replicas, and the delay between attempts in milliseconds. */
const maxAttempts = 10;
const retryMs = 10;

/**
 * Delivers a decision to the run that waits for it: directly if the run is in this process, otherwise by taking it
 * over. Resolves once the first decision on the pause, or the end of the pause, is committed.
 *
 * @returns the pause, and whether this decision was committed; `undefined` if the run changes hands too often. A
 *   pause that is still `WAITING` has expired, and ends together with its run.
 * @throws ApiError 429 if the quota has no invocation left
 */
export async function resumeRun(
  { db, clock, runs, takeUp, draw, known }: ResumeOptions,
  { tenantId, executionId }: { tenantId: string; executionId: string },
  decision: PauseDecision,
): Promise<{ pause: Pause; won: boolean } | undefined> {
  let isDrawn = draw === undefined;
  /**
   * The time of this call's decision. Another replica may have decided first. With the same key, its decision has the
   * same id.
   */
  let resumedAt: number | undefined;
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    if (attempt > 0) await wait(retryMs);
    const active = runs.get(executionId);
    if (active?.waitingPause === decision.pauseId) {
      // Draws first, because a decision that has become part of the run can no longer be refused.
      if (!isDrawn) await draw?.();
      isDrawn = true;
      resumedAt = active.actions.resume(decision) ?? resumedAt;
      await active.flush();
    } else if (active) {
      await active.flush();
    } else {
      // The claim that the caller has read may be stale. The journal then rejects it.
      const claim =
        (attempt === 0 ? known?.claim : undefined) ?? (await findClaimableRun(db, { tenantId, executionId }));
      let decidedAt: number | undefined;
      const decide = (actions: NextActions): boolean => {
        decidedAt = actions.resume(decision);
        return decidedAt !== undefined;
      };
      const onCommit = (): void => {
        resumedAt = decidedAt;
      };
      const run = claim && (await takeUp(claim, { decide, onCommit, invocations: isDrawn ? 0 : 1 }));
      run?.activate();
      if (run && known && resumedAt !== undefined)
        return { pause: resumed(known.pause, decision, resumedAt), won: true };
    }
    const pause = await findPause(db, tenantId, decision.pauseId);
    if (pause?.status === 'WAITING' && pause.expiresAt <= clock.now()) return { pause, won: false };
    if (pause && pause.status !== 'WAITING') {
      return { pause, won: pause.decisionId === decision.decisionId && pause.resumedAt === resumedAt };
    }
  }
  return undefined;
}

/** Returns the record of a pause with the decision, as its commit has stored it. */
function resumed(pause: Pause, { decisionId, resumedBy, value }: PauseDecision, resumedAt: number): Pause {
  const by = columnText(resumedBy);
  return { ...pause, status: 'RESUMED', resumedAt, decisionId, resumedBy: by, resumeValue: value ?? null };
}
