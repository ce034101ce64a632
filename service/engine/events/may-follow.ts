import { appKeyOf } from '../../access/app-key-reach.ts';
import type { Principal } from '../../access/principal.ts';
import type { Database } from '../../store/database.ts';
import { findExecution } from '../../store/executions.ts';
import { findJournalBody } from '../../store/journal.ts';
import { decodeEntries } from '../run/journal-codec.ts';

/**
 * Whether the caller may follow an execution of its tenant: an app key those runs alone that it started, branches included
 * (SPEC.md, Authentication 6). To a full key it says nothing, not even whether there is such an execution.
 */
export async function mayFollow(db: Database, principal: Principal, executionId: string): Promise<boolean> {
  const appKey = appKeyOf(principal);
  if (appKey === undefined) return true;
  const tenantId = principal.tenant.id;
  const execution = await findExecution(db.knex, tenantId, executionId);
  if (!execution) return false;
  const root = { tenantId, executionId: execution.lineageRootExecutionId ?? executionId };
  const body = await findJournalBody(db, { ...root, seq: 0 });
  const [first] = body === undefined ? [] : decodeEntries(body);
  return first?.type === 'admitted' && first.startedBy === appKey;
}
