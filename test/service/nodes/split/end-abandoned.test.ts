import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { pino } from 'pino';
import { systemClock } from '../../../../service/clock.ts';
import { endAbandoned } from '../../../../service/nodes/split/end-abandoned.ts';
import { SplitStreams } from '../../../../service/nodes/split/split-streams.ts';
import type { Database } from '../../../../service/store/database.ts';
import { findExecution } from '../../../../service/store/executions.ts';
import { addJournalRows } from '../../../../service/store/journal.ts';
import {
  advanceStream,
  claimStream,
  endStream,
  findStream,
  findStreams,
  insertStream,
} from '../../../../service/store/split-streams.ts';
import { eachDatabase } from '../../../support/databases.ts';
import { eventually } from '../../../support/eventually.ts';
import { sampleStream, storedTenant } from '../../../support/sample-records.ts';

eachDatabase((open) => {
  describe('a stream with a silent owner', () => {
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
      await claimStream(db.knex, stream, owner);
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

    it('does not delay the end of other streams while its owner writes to the journal', async () => {
      const { id: tenantId } = await storedTenant(db.knex);
      const streams = [0, 1].map(() => sampleStream(tenantId, { status: 'uploading', owner }));
      for (const stream of streams) await insertStream(db.knex, stream);
      let isLate = true;
      const racing = Object.create(db, {
        transaction: {
          value: async (work: Parameters<Database['transaction']>[0]) => {
            if (isLate) {
              isLate = false;
              const row = { seq: 0, body: '[]', at: 1 };
              for (const stream of streams) await addJournalRows(db.knex, stream, [row]);
            }
            return db.transaction(work);
          },
        },
      }) as Database;
      const searching = searchFor(racing);
      const ended = async (): Promise<number> => {
        const found = await findStreams(db.knex, streams);
        return found.filter(({ status }) => status === 'ended').length;
      };
      try {
        await searching.start();
        assert.equal(await ended(), 1);
        await eventually(async () => (await ended()) === 2 || undefined);
      } finally {
        await searching.close();
      }
    });

    it('is not ended by a replica whose own heartbeat is overdue', async () => {
      const { id: tenantId } = await storedTenant(db.knex);
      const stream = sampleStream(tenantId, { status: 'uploading', owner });
      await insertStream(db.knex, stream);
      let heartbeatsAreReliable = false;
      const searching = searchFor(db, () => heartbeatsAreReliable);
      const statusOf = async () => (await findStream(db.knex, stream))?.status;
      try {
        heartbeatsAreReliable = true;
        const started = searching.start();
        // The query of the heartbeats waits for the database.
        heartbeatsAreReliable = false;
        await started;
        assert.equal(await statusOf(), 'uploading');
        heartbeatsAreReliable = true;
        await eventually(async () => (await statusOf()) === 'ended' || undefined);
      } finally {
        await searching.close();
      }
    });

    it('is claimed only after the heartbeat of its owner is stored', async () => {
      const tenant = await storedTenant(db.knex);
      const stream = sampleStream(tenant.id, {
        status: 'created',
        owner: null,
        expiresAt: Date.now() + 60_000,
      });
      await insertStream(db.knex, stream);
      const refused = new Error('no container');
      const seen: string[] = [];
      const notes = (what: string) => async (): Promise<void> => {
        seen.push(`${what}: ${(await findStream(db.knex, stream))?.status}`);
      };
      const streams = new SplitStreams({
        db,
        replica: owner,
        clock: systemClock,
        endSilence: notes('heartbeat'),
        directCalls: {
          find: () => Promise.resolve({}),
          track: <T>(call: Promise<T>) => call,
          stream: () =>
            notes('call')().then(() => {
              throw refused;
            }),
        },
      } as unknown as ConstructorParameters<typeof SplitStreams>[0]);
      const upload = streams.upload({
        tenant,
        streamId: stream.id,
        input: Readable.from([]),
        signal: new AbortController().signal,
        invokedBy: undefined,
      });
      await assert.rejects(upload, refused);
      assert.deepEqual(seen, ['heartbeat: created', 'call: uploading']);
    });
  });
});

/** Split streams of another replica, without uploads. */
function searchFor(db: Database, heartbeatsAreReliable = (): boolean => true): SplitStreams {
  return new SplitStreams({
    db,
    replica: 'other',
    clock: systemClock,
    logger: pino({ level: 'silent' }),
    heartbeatsAreReliable,
  } as ConstructorParameters<typeof SplitStreams>[0]);
}
