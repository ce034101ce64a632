import type { Database } from '../../service/store/database.ts';
import { journalPages } from '../../service/store/journal.ts';

/** Returns all rows of a journal. */
export async function wholeJournal(
  db: Database,
  journal: { tenantId: string; executionId: string },
): Promise<{ seq: number; body: string; at: number }[]> {
  return (await Array.fromAsync(journalPages(db, journal))).flat();
}
