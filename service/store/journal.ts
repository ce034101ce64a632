import { loopTurns } from '../work/turn-budget.ts';
import type { Database, Tx } from './database.ts';
import { type PreparedQuery, prepareQuery } from './prepared/prepared-query.ts';
import { prepareSharedQuery } from './prepared/shared-query.ts';

/** A row of a run's journal. `commit/run-writer.ts` writes it. */
interface JournalRow {
  /** Starts at 0, without gaps. */
  seq: number;
  body: string;
  /** Epoch milliseconds. */
  at: number;
}

interface JournalOwner {
  tenantId: string;
  executionId: string;
}

/**
 * Maximum rows of a page of a journal. A page also ends with the row that reaches this many bytes, because a log
 * makes rows large. Both limits bound the memory of a reader and the time for which it blocks the main thread.
 */
const page = { rows: 200, bytes: 262_144 };

/**
 * Selects the rows from `first` on, with the total bytes up to and including each row. Reads the bodies only once the
 * end of the page is known, because the bodies of all these rows may be 30 times as large as the page.
 */
const pageOf = (first: 'seq >= ?' | 'seq < ?', order: 'seq' | 'seq desc'): string =>
  `select seq, body, at, bytes from (
     select tenant_id, execution_id, seq, own, sum(own) over (order by ${order} rows unbounded preceding) as bytes from (
       select tenant_id, execution_id, seq, octet_length(body) as own from journal
       where tenant_id = ? and execution_id = ? and ${first} order by ${order} limit ${page.rows}
     ) as first
   ) as sizes join journal using (tenant_id, execution_id, seq)
   where bytes - own < ${page.bytes} order by ${order}`;

const pageOn = prepareSharedQuery(pageOf('seq >= ?', 'seq'), ['text', 'text', 'int4']);
const pageBack = prepareQuery(pageOf('seq < ?', 'seq desc'));
const last = prepareQuery(
  'select seq, body, at from journal where tenant_id = ? and execution_id = ? order by seq desc limit 1',
);

/** Reads the rows from `seq` on in order, in pages of at least one row, until the end of the journal. */
export async function* journalPages(
  db: Database,
  journal: JournalOwner,
  seq = 0,
): AsyncGenerator<JournalRow[], void, undefined> {
  yield* pages(db, pageOn, journal, seq, (last) => last + 1);
}

/** Reads the rows backwards from the last one, in pages of at least one row. */
export async function* journalPagesBack(
  db: Database,
  journal: JournalOwner,
): AsyncGenerator<JournalRow[], void, undefined> {
  yield* pages(db, pageBack, journal, 0x7fff_ffff, (last) => last);
}

async function* pages(
  db: Database,
  query: PreparedQuery,
  { tenantId, executionId }: JournalOwner,
  first: number,
  after: (last: number) => number,
): AsyncGenerator<JournalRow[], void, undefined> {
  for (let from = first; ;) {
    const rows = await query(db, [tenantId, executionId, from]);
    const last = rows.at(-1);
    if (!last) return;
    yield rows.map(rowOf);
    if (rows.length < page.rows && Number(last.bytes) < page.bytes) return;
    from = after(Number(last.seq));
    // SQLite reads synchronously, so yields to other work between the pages of a long journal.
    await loopTurns.queue();
  }
}

/** Returns the row with the highest `seq`, or `undefined` if there is no journal. */
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
  { tenantId, executionId, seq }: JournalOwner & { seq: number },
): Promise<string | undefined> {
  const [row] = await one(db, [tenantId, executionId, seq]);
  return row && rowOf(row).body;
}

/** Adds rows to a journal that has no writer yet. */
export async function addJournalRows(
  tx: Tx,
  { tenantId, executionId }: JournalOwner,
  rows: readonly JournalRow[],
): Promise<void> {
  if (rows.length === 0) return;
  await tx('journal').insert(rows.map((row) => ({ tenant_id: tenantId, execution_id: executionId, ...row })));
}

/** Deletes a journal. */
export async function deleteJournal(tx: Tx, { tenantId, executionId }: JournalOwner): Promise<void> {
  await tx('journal').where({ tenant_id: tenantId, execution_id: executionId }).delete();
}

function rowOf(row: Record<string, unknown>): JournalRow {
  return { seq: Number(row.seq), body: row.body as string, at: Number(row.at) };
}
