import { appKeyOf } from '../../access/app-key-reach.ts';
import type { Principal } from '../../access/principal.ts';
import type { Database } from '../../store/database.ts';
import { findExecution } from '../../store/executions.ts';
import { findJournalBody } from '../../store/journal.ts';
import { decodeEntries } from '../journal/codec.ts';

/**
 * Reports whether the caller may follow an execution of its tenant. An app key may follow only the runs that it started, and
 * their branches. For a full key the result is always true, even for an unknown execution.
 */
export async function mayFollow(db: Database, principal: Principal, executionId: string): Promise<boolean> {
  const appKey = appKeyOf(principal);
  if (appKey === undefined) return true;
  const tenantId = principal.tenant.id;
  const execution = await findExecution(db, tenantId, executionId);
  if (!execution) return false;
  const root = { tenantId, executionId: execution.lineageRootExecutionId ?? executionId };
  const body = await findJournalBody(db, { ...root, seq: 0 });
  const [first] = body === undefined ? [] : decodeEntries(body);
  return first?.type === 'admitted' && first.startedBy === appKey;
}
