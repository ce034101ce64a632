import assert from 'node:assert/strict';
import { systemClock } from '../../../../service/clock.ts';
import { endAbandoned } from '../../../../service/nodes/split/end-abandoned.ts';
import type { Database } from '../../../../service/store/database.ts';
import { findExecution } from '../../../../service/store/executions.ts';
import {
  advanceStream,
  claimStream,
  endStream,
  findStream,
  insertStream,
} from '../../../../service/store/split-streams.ts';
import { eachDatabase } from '../../../support/databases.ts';
import { sampleStream, storedTenant } from '../../../support/sample-records.ts';

eachDatabase((open) => {
  describe('a stream whose owner is silent', () => {
    const owner = 'r';
    let db: Database;
    before(async () => {
      db = await open();
    });

    const stop = (stream: Parameters<typeof endAbandoned>[1]): Promise<void> =>
      endAbandoned({ db, clock: systemClock }, stream, 'stopped');

    it('keeps the frames that its owner stores while another replica is about to end it', async () => {
      const { id: tenantId } = await storedTenant(db.knex);
      const stream = sampleStream(tenantId, { status: 'created', owner: null });
      await insertStream(db.knex, stream);
      await claimStream(db.knex, stream, { owner, startedAt: Date.now() });
      const store = (frame: number): Promise<boolean> => {
        const body = JSON.stringify({ text: `f${frame}` });
        const chunk = { tenantId, streamId: stream.id, firstFrame: frame, body, blob: null };
        return advanceStream(db, stream, { owner, inputFrames: 1, frames: frame + 1, chunk });
      };
      const found = async () => (await findStream(db.knex, stream))!;
      assert.ok(await store(0));
      const silent = await found();
      assert.ok(await store(1));
      await stop(silent);
      assert.deepEqual(
        { status: (await found()).status, frames: (await found()).frames },
        { status: 'uploading', frames: 2 },
      );
      assert.ok(await store(2));

      await stop(await found());
      const { status, frames, error } = await found();
      assert.deepEqual({ status, frames, error }, { status: 'ended', frames: 3, error: 'stopped' });
      assert.equal((await findExecution(db, tenantId, stream.executionId))?.status, 'FAILED');
      assert.equal(await store(3), false);
      const end = { owner, inputFrames: 1, frames: 4, error: null };
      assert.equal(await endStream(db, stream, end), false);
    });
  });
});
