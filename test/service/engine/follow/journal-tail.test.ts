import assert from 'node:assert/strict';
import { systemClock } from '../../../../service/clock.ts';
import { JournalTail } from '../../../../service/engine/follow/journal-tail.ts';
import type { JournalEntry } from '../../../../service/engine/journal/entry.ts';
import { createIds } from '../../../../service/ids.ts';
import { addJournalRows } from '../../../../service/store/journal.ts';
import { eachDatabase } from '../../../support/databases.ts';
import { storedTenant } from '../../../support/sample-records.ts';

const rowBytes = 131_072;

describe('the tail of a journal', () => {
  eachDatabase((open) => {
    it('starts with as many of the last rows as a follower may receive, and then continues', async () => {
      const db = await open();
      const { id: tenantId } = await storedTenant(db.knex);
      const run = { tenantId, executionId: createIds(systemClock).executionId() };
      /** Rows with one log line of 128 KiB each. */
      const addLogs = async (from: number, count: number): Promise<void> => {
        for (let seq = from; seq < from + count; seq += 1) {
          const entry = { type: 'NODE_LOG', id: String(seq), message: 'x'.repeat(rowBytes) };
          await addJournalRows(db.knex, run, [{ seq, body: JSON.stringify([entry]), at: seq }]);
        }
      };
      const sizeOf = (entry: JournalEntry): number | undefined =>
        entry.type === 'NODE_LOG' ? entry.message.length : undefined;
      const idsOf = (entries: JournalEntry[]): string[] => entries.map(({ id }) => id);
      await addLogs(0, 7);
      // A page of the journal has two of these rows.
      for (const [enough, expected] of [
        [{ events: 1_000, bytes: 2 * rowBytes }, ['5', '6']],
        [{ events: 1_000, bytes: 2 * rowBytes + 1 }, ['3', '4', '5', '6']],
        [{ events: 2, bytes: 100 * rowBytes }, ['5', '6']],
        [{ events: 3, bytes: 100 * rowBytes }, ['3', '4', '5', '6']],
      ] as const) {
        const tail = new JournalTail({ db, run, isWanted: () => true });
        assert.deepEqual(idsOf(await tail.read(enough, sizeOf)), expected);
        assert.deepEqual(idsOf(await tail.read(enough, sizeOf)), []);
      }
      const tail = new JournalTail({ db, run, isWanted: ({ id }) => id !== '7' });
      assert.equal((await tail.read({ events: 1_000, bytes: 100 * rowBytes }, sizeOf)).length, 7);
      await addLogs(7, 3);
      assert.deepEqual(idsOf(await tail.read({ events: 1, bytes: 1 }, sizeOf)), ['8', '9']);
    });
  });
});
