import assert from 'node:assert/strict';
import { systemClock } from '../../../service/clock.ts';
import { createIds } from '../../../service/ids.ts';
import { addJournalRows, journalPages, journalPagesBack } from '../../../service/store/journal.ts';
import type { Database } from '../../../service/store/database.ts';
import { eachDatabase } from '../../support/databases.ts';
import { storedTenant } from '../../support/sample-records.ts';

/** Bytes at which a page ends. */
const pageBytes = 262_144;

const ids = createIds(systemClock);

describe('the pages of a journal', () => {
  eachDatabase((open) => {
    let db: Database;
    let tenantId: string;
    before(async () => {
      db = await open();
      tenantId = (await storedTenant(db.knex)).id;
    });

    /** Stores a journal of rows with these sizes in bytes, beside another one. */
    async function stored(sizes: readonly number[]): Promise<{ tenantId: string; executionId: string }> {
      const journal = { tenantId, executionId: ids.executionId() };
      for (const [seq, bytes] of sizes.entries()) {
        await addJournalRows(db.knex, journal, [{ seq, body: 'é'.repeat(bytes / 2), at: seq }]);
      }
      const other = { tenantId, executionId: ids.executionId() };
      await addJournalRows(db.knex, other, [{ seq: 0, body: 'x'.repeat(pageBytes), at: 0 }]);
      return journal;
    }
    const seqs = async (pages: AsyncIterable<readonly { seq: number }[]>): Promise<number[][]> =>
      (await Array.fromAsync(pages)).map((rows) => rows.map(({ seq }) => seq));

    it('contain at most 200 rows', async () => {
      const none = await stored([]);
      assert.deepEqual(await seqs(journalPages(db, none)), []);
      assert.deepEqual(await seqs(journalPagesBack(db, none)), []);
      for (const count of [1, 199, 200, 201, 401]) {
        const all = Array.from({ length: count }, (_, seq) => seq);
        const journal = await stored(all.map(() => 2));
        const inPages = (rows: number[]): number[][] =>
          [0, 200, 400].map((from) => rows.slice(from, from + 200)).filter(({ length }) => length > 0);
        assert.deepEqual(await seqs(journalPages(db, journal)), inPages(all));
        assert.deepEqual(await seqs(journalPagesBack(db, journal)), inPages(all.toReversed()));
        assert.deepEqual(await seqs(journalPages(db, journal, count - 1)), [[count - 1]]);
        assert.deepEqual(await seqs(journalPages(db, journal, count)), []);
      }
    });

    it('end with the row that reaches 256 KiB', async () => {
      const half = pageBytes / 2;
      const below = await stored([half, half - 2, 2, 2]);
      assert.deepEqual(await seqs(journalPages(db, below)), [[0, 1, 2], [3]]);
      const reached = await stored([half, half, 2, 2]);
      assert.deepEqual(await seqs(journalPages(db, reached)), [
        [0, 1],
        [2, 3],
      ]);
      assert.deepEqual(await seqs(journalPagesBack(db, reached)), [[3, 2, 1, 0]]);
      const large = await stored([2 * pageBytes, 2 * pageBytes]);
      assert.deepEqual(await seqs(journalPages(db, large)), [[0], [1]]);
      assert.deepEqual(await seqs(journalPagesBack(db, large)), [[1], [0]]);
    });

    it('yield to the event loop between pages', async () => {
      const journal = await stored(Array.from({ length: 5 }, () => pageBytes));
      let turns = 0;
      let reading = true;
      const count = (): void => {
        turns += 1;
        if (reading) setImmediate(count);
      };
      setImmediate(count);
      await seqs(journalPages(db, journal));
      reading = false;
      assert.ok(turns >= 4, `${turns} turns`);
    });
  });
});
