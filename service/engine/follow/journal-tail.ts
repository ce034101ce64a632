import type { Database } from '../../store/database.ts';
import { journalPage, readJournal, readJournalBack } from '../../store/journal.ts';
import { decodeEntries } from '../journal/codec.ts';
import type { JournalEntry } from '../journal/entry.ts';

/** Reads a journal, starting near its end. */
export class JournalTail {
  readonly #db: Database;
  readonly #run: { tenantId: string; executionId: string };
  #next: number | undefined;

  constructor(db: Database, run: { tenantId: string; executionId: string }) {
    this.#db = db;
    this.#run = run;
  }

  /**
   * Returns the entries of the rows since the last call, in order; the first time, the entries of the last rows, with at least
   * `enough` entries that count, if the journal has that many.
   */
  async read(enough: number, counts: (entry: JournalEntry) => boolean): Promise<JournalEntry[]> {
    return this.#next === undefined ? this.#readBack(enough, counts) : this.#readOn(this.#next);
  }

  async #readOn(from: number): Promise<JournalEntry[]> {
    const { tenantId, executionId } = this.#run;
    const entries: JournalEntry[] = [];
    for (let next = from; ;) {
      const rows = await readJournal(this.#db, tenantId, executionId, next);
      entries.push(...rows.flatMap(({ body }) => decodeEntries(body)));
      next += rows.length;
      if (rows.length < journalPage) {
        this.#next = next;
        return entries;
      }
    }
  }

  async #readBack(enough: number, counts: (entry: JournalEntry) => boolean): Promise<JournalEntry[]> {
    const { tenantId, executionId } = this.#run;
    const pages: JournalEntry[][] = [];
    let next = 0;
    let left = enough;
    for (let before: number | undefined; left > 0;) {
      const rows = await readJournalBack(this.#db, tenantId, executionId, before);
      next = Math.max(next, (rows[0]?.seq ?? -1) + 1);
      const entries = rows.toReversed().flatMap(({ body }) => decodeEntries(body));
      pages.push(entries);
      left -= entries.filter(counts).length;
      before = rows.at(-1)?.seq;
      if (rows.length < journalPage) break;
    }
    this.#next = next;
    return pages.toReversed().flat();
  }
}
