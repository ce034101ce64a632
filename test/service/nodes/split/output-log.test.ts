import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { OutputLog } from '../../../../service/nodes/split/output-log.ts';
import type { Database } from '../../../../service/store/database.ts';
import { claimStream, findStream, insertStream } from '../../../../service/store/split-streams.ts';
import { eachDatabase } from '../../../support/databases.ts';
import { until } from '../../../support/until.ts';

describe('the output of a split stream', () => {
  eachDatabase((open) => {
    let db: Database;
    const stream = { tenantId: 't', id: 's', createdAt: 1 };
    before(async () => {
      db = await open();
      await insertStream(db.knex, {
        ...stream,
        ...{ executionId: 'e', nodeId: 'n', nodeFqn: 'a/b/1/N', status: 'created', owner: null },
        ...{ inputFrames: 0, frames: 0, error: null, expiresAt: 2 },
      });
      assert.ok(await claimStream(db.knex, stream, 'r'));
    });

    it('is stored after the first row of the journal, which contains the first input frame', async () => {
      const { promise: stored, resolve: store } = Promise.withResolvers<undefined>();
      let commits = 0;
      const log = new OutputLog({
        db,
        blobs: { put: () => assert.fail('the output is small') },
        executions: { append: () => stored, write: () => Promise.resolve() },
        stream,
        owner: 'r',
        onStored: () => (commits += 1),
      });
      void log.executions.append({ tenantId: 't', executionId: 'e', seq: 0, body: '[]', at: 1 });
      await log.append('{"text":"a"}');
      // Longer than a commit takes.
      await pause(100);
      assert.equal((await findStream(db.knex, stream))?.frames, 0);
      store(undefined);
      await until(() => commits === 1);
      assert.equal((await findStream(db.knex, stream))?.frames, 1);
    });
  });
});
