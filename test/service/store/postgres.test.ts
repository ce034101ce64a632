import assert from 'node:assert/strict';
import type { Database } from '../../../service/store/database.ts';
import { isUnavailable } from '../../../service/store/database-errors.ts';
import { openDatabase } from '../../../service/store/open-database.ts';
import { type CuttingProxy, startCuttingProxy } from '../../support/cutting-proxy.ts';
import { postgresOptions } from '../../support/databases.ts';
import { suiteNeeds } from '../../support/toolchains.ts';

suiteNeeds('postgres', 'a PostgreSQL server that does not respond', function () {
  this.timeout(180_000);
  const silenceMs = 1_000;
  let proxy: CuttingProxy;
  let db: Database;

  before(async () => {
    const options = await postgresOptions();
    const url = new URL(options.url ?? '');
    proxy = await startCuttingProxy(`http://${url.host}`);
    url.host = new URL(proxy.url).host;
    db = await openDatabase({ ...options, url: url.href, silenceMs });
  });

  after(async () => {
    await db.close();
    await proxy.stop();
  });

  const answer = async (): Promise<unknown> => {
    const { rows } = await db.knex.raw<{ rows: { answer: number }[] }>('select 1 as answer');
    return rows[0]?.answer;
  };

  it('fails the query, and the next query uses another connection', async () => {
    assert.equal(await answer(), 1);
    proxy.silence();
    await assert.rejects(answer(), (error) => isUnavailable(error));
    assert.equal(await answer(), 1);
  });

  it('fails a transaction whose statement gets no response', async () => {
    const work = db.transaction(async (tx) => {
      await tx.raw('select 1');
      proxy.silence();
      await tx.raw('select 2');
    });
    await assert.rejects(work, (error) => isUnavailable(error));
    assert.equal(await answer(), 1);
  });

  it('fails a statement that takes longer than the timeout', async () => {
    await assert.rejects(db.knex.raw('select pg_sleep(60)'), (error) => isUnavailable(error));
    assert.equal(await answer(), 1);
  });
});
