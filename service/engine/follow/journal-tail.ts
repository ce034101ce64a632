import type { Database } from '../../store/database.ts';
import { journalPages, journalPagesBack } from '../../store/journal.ts';
import { decodeEntries } from '../journal/codec.ts';
import type { JournalEntry } from '../journal/entry.ts';

interface JournalTailOptions {
  db: Database;
  run: { tenantId: string; executionId: string };
  /** Other entries are not returned. */
  isWanted: (entry: JournalEntry) => boolean;
}

/** Reads a journal, starting near its end. */
export class JournalTail {
  readonly #options: JournalTailOptions;
  #next: number | undefined;

  constructor(options: JournalTailOptions) {
    this.#options = options;
  }

  /**
   * Returns the wanted entries of the rows since the last call, in order. The first call returns those of the last
   * rows, which together have at least `enough` events or bytes, if the journal has that many.
   *
   * @param sizeOf returns the bytes of an event, and `undefined` for an entry that is not an event
   */
  async read(
    enough: { events: number; bytes: number },
    sizeOf: (entry: JournalEntry) => number | undefined,
  ): Promise<JournalEntry[]> {
    return this.#next === undefined ? this.#readBack(enough, sizeOf) : this.#readOn(this.#next);
  }

  async #readOn(from: number): Promise<JournalEntry[]> {
    const { db, run } = this.#options;
    const entries: JournalEntry[] = [];
    let next = from;
    for await (const rows of journalPages(db, run, from)) {
      entries.push(...this.#wanted(rows));
      next += rows.length;
    }
    this.#next = next;
    return entries;
  }

  async #readBack(
    enough: { events: number; bytes: number },
    sizeOf: (entry: JournalEntry) => number | undefined,
  ): Promise<JournalEntry[]> {
    const { db, run } = this.#options;
    const pages: JournalEntry[][] = [];
    let next = 0;
    let { events, bytes } = enough;
    for await (const rows of journalPagesBack(db, run)) {
      next = Math.max(next, (rows[0]?.seq ?? -1) + 1);
      const entries = this.#wanted(rows.toReversed());
      pages.push(entries);
      const sizes = entries.flatMap((entry) => sizeOf(entry) ?? []);
      events -= sizes.length;
      bytes -= sizes.reduce((sum, size) => sum + size, 0);
      if (events <= 0 || bytes <= 0) break;
    }
    this.#next = next;
    return pages.toReversed().flat();
  }

  #wanted(rows: readonly { body: string }[]): JournalEntry[] {
    return rows.flatMap(({ body }) => decodeEntries(body).filter(this.#options.isWanted));
  }
}
