import assert from 'node:assert/strict';
import { readOutput } from '../../../../service/nodes/split/read-output.ts';
import { StreamWatch } from '../../../../service/nodes/split/stream-watch.ts';
import { insertRecords } from '../../../../service/store/records.ts';
import { splitChunks } from '../../../../service/store/split-chunks.ts';
import { insertStream, type SplitStream } from '../../../../service/store/split-streams.ts';
import { eachDatabase } from '../../../support/databases.ts';
import { manualClock } from '../../../support/manual-clock.ts';
import { assertTurn, watchTurns } from '../../../support/turn-watch.ts';

const frames = 3_000;

describe('the readers of a split stream', () => {
  eachDatabase((open) => {
    it('yield to each other when they read the same frames', async function () {
      this.timeout(30_000);
      const db = await open();
      const clock = manualClock();
      const stream: SplitStream = {
        tenantId: 'tenant',
        id: 'stream',
        executionId: 'execution',
        nodeId: 'node',
        nodeFqn: 'acme/streams/1.0.0/Flow',
        status: 'ended',
        owner: 'replica',
        inputFrames: frames,
        frames,
        error: null,
        createdAt: clock.now(),
        expiresAt: clock.now() + 60_000,
      };
      await insertStream(db.knex, stream);
      const body = Array.from({ length: frames }, () => '{}').join('\n');
      const { tenantId, id: streamId } = stream;
      await insertRecords(db.knex, splitChunks, [{ tenantId, streamId, firstFrame: 0, body, blob: null }]);
      const blobs = { read: () => Promise.reject(new Error('there are no blobs')) };
      const parts = { db, blobs, clock, watch: new StreamWatch({ db, clock }) };
      const read = async (): Promise<number> => {
        let count = 0;
        const options = { from: 0, signal: new AbortController().signal };
        for await (const frame of readOutput(parts, stream, options)) {
          if (frame.kind === 'end') return count;
          count += 1;
        }
        return count;
      };
      const watch = watchTurns();
      const counts = await Promise.all(Array.from({ length: 400 }, read));
      // All of it was one turn, of 300.
      assertTurn(watch.stop(), 50);
      assert.deepEqual(new Set(counts), new Set([frames]));
    });
  });
});
