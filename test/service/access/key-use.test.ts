import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { createKeyUse } from '../../../service/access/key-use.ts';
import { type ApiKey, findApiKeyById, insertApiKey } from '../../../service/store/api-keys.ts';
import type { Database } from '../../../service/store/database.ts';
import { eachDatabase } from '../../support/databases.ts';
import { sampleKey, storedTenant } from '../../support/sample-records.ts';

describe('the last use of keys', () => {
  eachDatabase((open) => {
    let db: Database;
    let key: ApiKey;
    const fail = (error: unknown): never => assert.fail(String(error));
    before(async () => {
      db = await open();
    });
    beforeEach(async () => {
      key = sampleKey((await storedTenant(db.knex)).id);
      await insertApiKey(db.knex, key);
    });

    const lastUsedAt = async ({ id }: ApiKey = key): Promise<number | null | undefined> =>
      (await findApiKeyById(db.knex, id))?.lastUsedAt;

    it('is stored in one statement for many requests, with the latest use of each key', async () => {
      const other = sampleKey(key.tenantId);
      await insertApiKey(db.knex, other);
      const uses = createKeyUse({ db, onError: fail });
      const statements: string[] = [];
      const count = ({ sql }: { sql: string }): void => void statements.push(sql);
      for (let at = 1; at <= 1_000; at += 1) uses.note(key, at);
      uses.note(other, 5);
      db.knex.on('query', count);
      await uses.close();
      db.knex.off('query', count);
      assert.equal(statements.filter((sql) => sql.startsWith('update')).length, 1);
      assert.deepEqual([await lastUsedAt(), await lastUsedAt(other)], [1_000, 5]);
    });

    it('is stored after a delay', async () => {
      const uses = createKeyUse({ db, flushMs: 5, onError: fail });
      uses.note(key, 7);
      while ((await lastUsedAt()) === null) await pause(5);
      assert.equal(await lastUsedAt(), 7);
      await uses.close();
    });

    it('does not fail requests if it cannot be stored', async () => {
      const closed = await open();
      const errors: unknown[] = [];
      const uses = createKeyUse({ db: closed, onError: (error) => errors.push(error) });
      uses.note(key, 7);
      await closed.close();
      await uses.close();
      assert.equal(errors.length, 1);
    });
  });
});
