import assert from 'node:assert/strict';
import type { Database } from '../../../service/store/database.ts';
import { outlast } from '../../../service/store/outlast.ts';
import { findChunk } from '../../../service/store/split-chunks.ts';
import {
  advanceStream,
  claimStream,
  findStream,
  insertStream,
} from '../../../service/store/split-streams.ts';
import { eachDatabase } from '../../support/databases.ts';

describe('the progress of a split stream', () => {
  eachDatabase((open) => {
    let db: Database;
    const key = { tenantId: 't', id: 's' };
    before(async () => {
      db = await open();
      const record = {
        ...{ executionId: 'e', nodeId: 'n', nodeFqn: 'a/b/1/N', status: 'created' as const, owner: null },
        ...{ inputFrames: 0, frames: 0, error: null, createdAt: 1, expiresAt: 2 },
      };
      await insertStream(db.knex, { ...key, ...record });
      assert.ok(await claimStream(db.knex, key, 'r'));
    });

    it('is stored once even if the responses to its commits are lost', async () => {
      const chunk = { tenantId: 't', streamId: 's', firstFrame: 0, body: '{"text":"a"}', blob: null };
      let attempts = 0;
      const advanced = await outlast(
        async () => {
          const stored = await advanceStream(db, key, { owner: 'r', frames: 1, inputFrames: 1, chunk });
          attempts += 1;
          if (attempts < 3) throw Object.assign(new Error('lost'), { code: 'ECONNRESET' });
          return stored;
        },
        { ms: 10_000 },
      );
      assert.equal(advanced, true);
      assert.deepEqual(await findChunk(db.knex, key, 0), chunk);
      assert.equal((await findStream(db.knex, key))?.frames, 1);
      assert.equal(await findChunk(db.knex, { tenantId: 't', id: 'other' }, 0), undefined);
    });
  });
});

describe('retrying while the database is unavailable', () => {
  const away = (): Promise<never> =>
    Promise.reject(Object.assign(new Error('away'), { code: 'ECONNREFUSED' }));

  it('fails with the last error after the time limit', async () => {
    await assert.rejects(outlast(away, { ms: 250 }), /away/);
  });

  it('stops at any other error', async () => {
    let attempts = 0;
    const refused = () => {
      attempts += 1;
      return Promise.reject(new Error('a bug'));
    };
    await assert.rejects(outlast(refused, { ms: 10_000 }), /a bug/);
    assert.equal(attempts, 1);
  });
});
