import type { ResumeTokens } from '../../access/secrets/resume-tokens.ts';
import type { Clock } from '../../clock.ts';
import { tenantSuspended } from '../../errors/access-errors.ts';
import { pausedExecutionNotFound, pauseNotFound, resumeLinkExpired } from '../../errors/pause-errors.ts';
import type { Database } from '../../store/database.ts';
import { findExecution } from '../../store/executions.ts';
import { findPause } from '../../store/pauses.ts';
import { findTenant } from '../../store/tenants.ts';
import type { PauseOfTenant } from './decide-pause.ts';

interface LinkOptions {
  db: Database;
  tokens: Pick<ResumeTokens, 'open'>;
  clock: Clock;
}

/**
 * Finds the pause of a link. The link expires at the deadline of the pause, even if the pause is decided earlier.
 *
 * @throws ApiError 403, 404 or 409
 */
export async function findLinkedPause(
  { db, tokens, clock }: LinkOptions,
  token: string,
): Promise<PauseOfTenant> {
  const named = tokens.open(token);
  if (!named) throw pauseNotFound();
  const [tenant, pause] = await Promise.all([
    findTenant(db.knex, named.tenantId),
    findPause(db, named.tenantId, named.id),
  ]);
  if (!tenant || !pause) throw pauseNotFound();
  if (tenant.status === 'suspended') throw tenantSuspended();
  if (pause.expiresAt <= clock.now()) throw resumeLinkExpired();
  const execution = await findExecution(db, tenant.id, pause.executionId);
  if (!execution) throw pausedExecutionNotFound();
  return { tenant, execution, pause };
}
