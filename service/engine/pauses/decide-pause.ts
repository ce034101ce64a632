import type { InvocationQuota } from '../../access/daily-quota.ts';
import type { Principal } from '../../access/principal.ts';
import { type SecretStore, SecretUnreadableError } from '../../access/secrets/secret-store.ts';
import type { Clock } from '../../clock.ts';
import {
  executionNotResumable,
  pausedExecutionNotFound,
  pauseNotFound,
  pauseNotWaiting,
  pauseOfOtherExecution,
  resumeUnavailable,
  resumeWithoutSecrets,
} from '../../errors/pause-errors.ts';
import type { Ids } from '../../ids.ts';
import type { MessageWorkers } from '../../messages/convert/message-workers.ts';
import { addLateDecision } from '../../store/late-decisions.ts';
import type { Pause } from '../../store/pauses.ts';
import { findPausedRun, type PausedExecution } from '../../store/prepared/find-paused-run.ts';
import type { ClaimedRun } from '../../store/run-claims.ts';
import type { Tenant } from '../../store/tenants.ts';
import type { Engine } from '../engine.ts';
import { mayFollow } from '../events/may-follow.ts';
import { nodeOfPause, type PausedNodeOptions } from './node-of-pause.ts';
import { readDecision, recordOf, type SentDecision } from './read-decision.ts';

/** A caller's decision on a pause. */
export interface ResumeRequest {
  pauseId: string;
  /** Identifies a decision that may be sent again. If undefined, each request is a separate decision. */
  decisionId: string | undefined;
  value: SentDecision;
  /** Empty if the caller provided no name. */
  resumedBy: string;
}

/** A pause with its run and its tenant. */
export interface PauseOfTenant {
  tenant: Tenant;
  execution: PausedExecution;
  pause: Pause;
  /** The next claim of the run, if it has been read. */
  claim?: ClaimedRun | undefined;
}

/** The outcome of a decision. */
export interface DecisionOutcome {
  /** The resumed pause. */
  pause: Pause;
  /** Whether this is the decision that ended the pause. */
  won: boolean;
  /** Whether the request repeats that decision, with the same id. */
  isRepeated: boolean;
}

interface DecideOptions extends PausedNodeOptions {
  engine: Pick<Engine, 'resume'>;
  messages: Pick<MessageWorkers, 'convert'>;
  secrets: Pick<SecretStore, 'values'>;
  /** Draws an invocation from the daily quota. */
  admit: InvocationQuota;
  clock: Clock;
  ids: Pick<Ids, 'ulid'>;
}

/**
 * Decides on a pause. The first decision wins; later ones are kept for audit.
 *
 * @throws ApiError 400, 404, 409, 429 or 503
 */
export async function decidePause(
  options: DecideOptions,
  { principal, executionId, signal }: { principal: Principal; executionId: string; signal: AbortSignal },
  { pauseId, value: sent, ...decider }: ResumeRequest,
): Promise<DecisionOutcome> {
  const { db } = options;
  const { tenant } = principal;
  const tenantId = tenant.id;
  const found = await findPausedRun(db, { tenantId, executionId, pauseId });
  if (!found || !(await mayFollow(db, principal, executionId))) throw pausedExecutionNotFound();
  const { execution, pause, claim } = found;
  if (!pause) throw pauseNotFound();
  if (pause.executionId !== executionId) {
    // An app key cannot see runs that others started, or their pauses.
    throw (await mayFollow(db, principal, pause.executionId)) ? pauseOfOtherExecution() : pauseNotFound();
  }
  return decideKnownPause(options, { tenant, execution, pause, claim, signal }, { sent, ...decider });
}

/**
 * Decides on a pause that the caller may decide on, like `decidePause`.
 *
 * @throws ApiError 400, 404, 409, 429 or 503
 */
export async function decideKnownPause(
  options: DecideOptions,
  { tenant, execution, pause, claim, signal }: PauseOfTenant & { signal: AbortSignal },
  { sent, resumedBy, decisionId }: { sent: SentDecision; resumedBy: string; decisionId?: string | undefined },
): Promise<DecisionOutcome> {
  const { engine, messages, admit, clock, ids } = options;
  const tenantId = tenant.id;
  const { id: pauseId, executionId } = pause;
  const id = decisionId ?? ids.ulid();
  if (pause.status !== 'WAITING') return decided(options, { pause, id, sent, resumedBy });
  // The pause has expired, but no replica has recorded it yet. One does within a second, or after the service has
  // restarted.
  if (pause.expiresAt <= clock.now()) throw pauseNotWaiting('EXPIRED');
  if (execution.completedAt !== null) throw executionNotResumable(execution.status);
  const { node, requiredSecrets } = await nodeOfPause(options, pause, execution);
  await requireReadable(options.secrets, tenantId, requiredSecrets);
  const read = await readDecision(messages, { sent, pause, node, caller: { tenantId, signal } });
  const decision = { pauseId, decisionId: id, resumedBy, ...read };
  const outcome = await engine.resume({ tenantId, executionId }, decision, {
    draw: () => admit(tenant),
    known: { pause, claim },
  });
  if (!outcome) throw resumeUnavailable();
  if (outcome.won) return { ...outcome, isRepeated: false };
  return decided(options, { pause: outcome.pause, id, sent, resumedBy });
}

/**
 * Checks that the secrets of a flow can be decrypted. Otherwise the run would fail at the next node with a secret,
 * and the decision would be lost.
 */
async function requireReadable(
  secrets: Pick<SecretStore, 'values'>,
  tenantId: string,
  names: readonly string[],
): Promise<void> {
  if (names.length === 0) return;
  try {
    await secrets.values(tenantId, names);
  } catch (error) {
    if (error instanceof SecretUnreadableError) throw resumeWithoutSecrets(error.message);
    throw error;
  }
}

/** Records a decision on a pause that has ended, unless it is a repetition of the decision that ended it. */
async function decided(
  { db, clock, ids }: DecideOptions,
  { pause, id, sent, resumedBy }: { pause: Pause; id: string; sent: SentDecision; resumedBy: string },
): Promise<DecisionOutcome> {
  if (pause.status === 'CANCELLED') throw pauseNotWaiting('CANCELLED');
  // The pause is still `WAITING`: it expired while the decision was converted or waited for its turn.
  if (pause.status !== 'RESUMED') throw pauseNotWaiting('EXPIRED');
  if (pause.decisionId === id) return { pause, won: true, isRepeated: true };
  const { tenantId, executionId, id: pauseId } = pause;
  await addLateDecision(db.knex, {
    tenantId,
    executionId,
    pauseId,
    id: ids.ulid(),
    decidedAt: clock.now(),
    resumedBy,
    value: recordedText(sent),
  });
  return { pause, won: false, isRepeated: false };
}

/** Returns the text of a late decision for the record. It is not converted, so only a JSON object is recorded. */
function recordedText(sent: SentDecision): string | null {
  if (sent.form !== 'json') return null;
  try {
    return recordOf(sent.text.toString()).value ?? null;
  } catch {
    // The content is not JSON.
    return null;
  }
}
