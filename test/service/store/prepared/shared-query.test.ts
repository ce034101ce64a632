import assert from 'node:assert/strict';
import type { Database } from '../../../../service/store/database.ts';
import { prepareSharedQuery } from '../../../../service/store/prepared/shared-query.ts';
import { eachDatabase } from '../../../support/databases.ts';

describe('a query shared by concurrent calls', () => {
  eachDatabase((open) => {
    let db: Database;
    before(async () => {
      db = await open();
      const rows = Array.from({ length: 200 }, (_, index) => ({
        tenant_id: 't',
        execution_id: `run-${index % 80}`,
        seq: Math.floor(index / 80),
        body: `${index}`,
        at: index,
      }));
      await db.knex.batchInsert('journal', rows, 50);
    });

    const rowsFrom = prepareSharedQuery(
      'select seq, body from journal where tenant_id = ? and execution_id = ? and seq >= ? order by seq desc',
      ['text', 'text', 'int4'],
    );

    it('returns to each call its own rows in order', async () => {
      const runs = Array.from({ length: 150 }, (_, index) => `run-${index}`);
      const found = await Promise.all(runs.map((run, index) => rowsFrom(db, ['t', run, index % 2])));
      const expected = runs.map((_, index) => {
        const bodies = [index + 160, index + 80, index].filter((body) => body < 200 && body % 80 === index);
        return bodies.map(String).slice(0, bodies.length - (index % 2));
      });
      assert.deepEqual(
        found.map((rows) => rows.map(({ body }) => body)),
        expected,
      );
    });

    it('sees all rows committed before the call', async () => {
      for (let seq = 0; seq < 20; seq += 1) {
        const run = { tenant_id: 't', execution_id: 'grows', seq, body: 'x', at: 1 };
        await db.knex('journal').insert(run);
        const calls = [rowsFrom(db, ['t', 'grows', 0]), rowsFrom(db, ['t', 'grows', seq])];
        const [all = [], last = []] = await Promise.all(calls);
        assert.deepEqual([all.length, last.length], [seq + 1, 1]);
      }
    });

    it('shares statements on PostgreSQL', async () => {
      if (db.dialect === 'sqlite') return;
      // The time of the transaction, which is the statement's.
      const timeOf = prepareSharedQuery(
        'select cast(now() as text) as at where cast(? as text) is not null',
        ['text'],
      );
      const found = await Promise.all(Array.from({ length: 60 }, (_, index) => timeOf(db, [`${index}`])));
      assert.equal(new Set(found.map(([row]) => row?.at)).size, 1);
    });

    it('fails only for the caller whose parameter is invalid', async () => {
      const read = (run: string) => rowsFrom(db, ['t', run, 0]);
      const [first, refused, last] = await Promise.allSettled(['run-1', 'nul \0', 'run-2'].map(read));
      assert.equal(first?.status, 'fulfilled');
      assert.equal(last?.status, 'fulfilled');
      // Text with a NUL is text to SQLite.
      assert.equal(refused?.status, db.dialect === 'sqlite' ? 'fulfilled' : 'rejected');
    });
  });
});
