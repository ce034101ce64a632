import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Database } from '../../service/store/database.ts';
import { eachDatabase } from '../support/databases.ts';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts';
import { findLeftovers } from './evidence/find-leftovers.ts';
import { journalGaps } from './evidence/read-database.ts';

describe('the evidence after a soak', () => {
  eachDatabase((open) => {
    let db: Database;
    let folder: TemporaryFolder;
    before(async () => {
      db = await open();
    });
    beforeEach(async () => {
      folder = await temporaryFolder({});
      await mkdir(path.join(folder.path, 'blobs', 'T', 'X'), { recursive: true });
      await mkdir(path.join(folder.path, 'temporary'));
    });
    afterEach(() => folder.remove());

    const leftovers = (): Promise<string[]> =>
      findLeftovers(db, {
        dataDir: folder.path,
        replicas: [{ name: 'replica-0', temporary: path.join(folder.path, 'temporary') }],
      });

    it('is empty for an idle service', async () => {
      assert.deepEqual(await leftovers(), []);
    });

    it('includes live sessions that have not ended', async () => {
      await db
        .knex('tenants')
        .insert({ id: 'T', handle: 't', status: 'active', limits: '{}', created_at: 0 });
      await db.knex('live_sessions').insert({ tenant_id: 'T', execution_id: 'X', owner: 'O' });
      const [text = ''] = await leftovers();
      assert.match(text, /^a live session: .*"execution_id":"X"/);
      await db.knex('live_sessions').delete();
    });

    it('includes stale heartbeats, but not those of processes killed a minute ago', async () => {
      await db.knex('replicas').insert([{ id: 'old', heartbeat_at: 0 }]);
      await db.knex('replicas').insert([{ id: 'killed', heartbeat_at: Date.now() - 60_000 }]);
      const found = await leftovers();
      assert.equal(found.length, 1);
      assert.match(found[0] ?? '', /"id":"old"/);
      await db.knex('replicas').delete();
    });

    it('includes orphaned files', async () => {
      await writeFile(path.join(folder.path, 'blobs', 'T', 'X', 'blob'), '');
      await writeFile(path.join(folder.path, 'temporary', 'half'), '');
      assert.deepEqual(await leftovers(), [
        `a file in the data folder: ${path.join('T', 'X', 'blob')}`,
        'a temporary file of replica-0: half',
      ]);
      await rm(path.join(folder.path, 'blobs'), { recursive: true });
    });

    it('includes journals with gaps', async () => {
      const row = { tenant_id: 'T', execution_id: 'whole', body: '', at: 0 };
      await db.knex('journal').insert([0, 1].map((seq) => ({ ...row, seq })));
      await db.knex('journal').insert([0, 2].map((seq) => ({ ...row, execution_id: 'gap', seq })));
      await db.knex('journal').insert([1].map((seq) => ({ ...row, execution_id: 'headless', seq })));
      assert.deepEqual((await journalGaps(db)).sort(), ['gap', 'headless']);
    });
  });
});
