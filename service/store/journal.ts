import type { Database, Tx } from './database.ts';
import { prepareQuery } from './prepared/prepared-query.ts';
import { prepareSharedQuery } from './prepared/shared-query.ts';

/** A row of a run's journal. `commit/run-writer.ts` writes it. */
interface JournalRow {
  /** Starts at 0, without gaps. */
  seq: number;
  body: string;
  /** Epoch milliseconds. */
  at: number;
}

/** Rows per read. This bounds the memory for a page of a long journal. */
export const journalPage = 200;

const page = prepareSharedQuery(
  `select seq, body, at from journal where tenant_id = ? and execution_id = ? and seq >= ? order by seq limit ${journalPage}`,
  ['text', 'text', 'int4'],
);
const pageBack = prepareQuery(
  `select seq, body, at from journal where tenant_id = ? and execution_id = ? and seq < ? order by seq desc limit ${journalPage}`,
);
const last = prepareQuery(
  'select seq, body, at from journal where tenant_id = ? and execution_id = ? order by seq desc limit 1',
);

/** Returns the rows from `seq` on in order, at most `journalPage`. */
export async function readJournal(
  db: Database,
  tenantId: string,
  executionId: string,
  seq: number,
): Promise<JournalRow[]> {
  return (await page(db, [tenantId, executionId, seq])).map(rowOf);
}

/** Returns the rows before `seq` from the last one back, at most `journalPage`. Default: from the last row of the journal. */
export async function readJournalBack(
  db: Database,
  tenantId: string,
  executionId: string,
  seq = 0x7fff_ffff,
): Promise<JournalRow[]> {
  return (await pageBack(db, [tenantId, executionId, seq])).map(rowOf);
}

export async function lastJournalRow(
  db: Database,
  tenantId: string,
  executionId: string,
): Promise<JournalRow | undefined> {
  const [row] = await last(db, [tenantId, executionId]);
  return row && rowOf(row);
}

const one = prepareQuery(
  'select seq, body, at from journal where tenant_id = ? and execution_id = ? and seq = ?',
);

/** Returns the body of a row. */
export async function findJournalBody(
  db: Database,
  { tenantId, executionId, seq }: { tenantId: string; executionId: string; seq: number },
): Promise<string | undefined> {
  const [row] = await one(db, [tenantId, executionId, seq]);
  return row && rowOf(row).body;
}

/** Adds rows to a journal that has no writer yet. */
export async function addJournalRows(
  tx: Tx,
  { tenantId, executionId }: { tenantId: string; executionId: string },
  rows: readonly JournalRow[],
): Promise<void> {
  if (rows.length === 0) return;
  await tx('journal').insert(rows.map((row) => ({ tenant_id: tenantId, execution_id: executionId, ...row })));
}

/** Deletes a journal. */
export async function deleteJournal(
  tx: Tx,
  { tenantId, executionId }: { tenantId: string; executionId: string },
): Promise<void> {
  await tx('journal').where({ tenant_id: tenantId, execution_id: executionId }).delete();
}

function rowOf(row: Record<string, unknown>): JournalRow {
  return { seq: Number(row.seq), body: row.body as string, at: Number(row.at) };
}
