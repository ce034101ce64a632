import type { Knex } from 'knex';
import type { PauseStatus } from '../../specs/pause-status.ts';
import type { Tx } from './database.ts';
import { loopTurns } from '../work/turn-budget.ts';
import { type Pause, pauses } from './pauses.ts';
import { columnNames, fromRow } from './table.ts';

/** Rows per read, and maximum bytes of questions and decisions in a page and in the list of a run. */
const rowsAtOnce = 50;
const maxPageBytes = 1_048_576;
const maxRunBytes = 8_388_608;

/**
 * Returns the pauses of a run, oldest first. Pauses beyond the first 8 MiB have an empty question and no decision,
 * because their texts are not read. Call it outside transactions: SQLite reads synchronously, and the event loop gets
 * a turn between portions.
 */
export async function listRunPauses(tx: Tx, tenantId: string, executionId: string): Promise<Pause[]> {
  const found: Pause[] = [];
  let bytes = 0;
  for (;;) {
    const rows = (await tx(pauses.name)
      .select(bytes <= maxRunBytes ? columnNames(pauses) : [...columnsWithoutTexts, ...emptyTexts(tx)])
      .where({ tenant_id: tenantId, execution_id: executionId })
      .where('id', '>', found.at(-1)?.id ?? '')
      .orderBy('id')
      .limit(rowsAtOnce)) as Record<string, unknown>[];
    for (const row of rows) {
      const pause = fromRow(pauses, row);
      bytes += sizeOf(pause);
      found.push(bytes <= maxRunBytes ? pause : { ...pause, question: '', resumeValue: null });
    }
    if (rows.length < rowsAtOnce) return found;
    await loopTurns.yieldIfSpent();
  }
}

const columnsWithoutTexts = columnNames(pauses).filter((name) => !/\.(question|resume_value)$/.test(name));

const emptyTexts = (tx: Tx): Knex.Raw[] => [tx.raw("'' as question"), tx.raw('null as resume_value')];

/** Lists the pauses of a tenant, newest first. A page ends before its limit rather than exceed 1 MiB. */
export async function listPauses(
  tx: Tx,
  tenantId: string,
  { statuses }: { statuses: readonly PauseStatus[] },
  { after, limit }: { after?: string | undefined; limit: number },
): Promise<{ pauses: Pause[]; hasMore: boolean }> {
  const found: Pause[] = [];
  let bytes = 0;
  for (;;) {
    const last = found.at(-1)?.id ?? after;
    const query = tx(pauses.name).select(columnNames(pauses)).where({ tenant_id: tenantId });
    // As a literal, so that SQLite uses the index of waiting pauses.
    if (statuses.length === 1 && statuses[0] === 'WAITING') void query.whereRaw("status = 'WAITING'");
    else if (statuses.length > 0) void query.whereIn('status', statuses);
    if (last !== undefined) void query.where('id', '<', last);
    const rows = (await query.orderBy('id', 'desc').limit(rowsAtOnce)) as Record<string, unknown>[];
    for (const row of rows) {
      const pause = fromRow(pauses, row);
      bytes += sizeOf(pause);
      if (found.length === limit || (bytes > maxPageBytes && found.length > 0))
        return { pauses: found, hasMore: true };
      found.push(pause);
    }
    if (rows.length < rowsAtOnce) return { pauses: found, hasMore: false };
  }
}

function sizeOf({ question, resumeValue }: Pause): number {
  return Buffer.byteLength(question) + Buffer.byteLength(resumeValue ?? '');
}
