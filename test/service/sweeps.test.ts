import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { pino } from 'pino';
import { firstExecutionId } from '../../service/ids.ts';
import { createBlobStore } from '../../service/objects/blob-store.ts';
import { createDiskObjectStore } from '../../service/objects/disk-object-store.ts';
import type { Database } from '../../service/store/database.ts';
import { createExecutionWriter } from '../../service/store/commit/execution-writer.ts';
import { createSweeps } from '../../service/sweeps.ts';
import { manualClock } from '../support/manual-clock.ts';
import { sqliteOptions } from '../support/databases.ts';
import { migrateDatabase } from '../../service/store/migrate.ts';
import { openDatabase } from '../../service/store/open-database.ts';
import { sampleExecution, sampleStream, storedTenant } from '../support/sample-records.ts';
import { insertLogin } from '../../service/store/logins.ts';
import { eventually } from '../support/eventually.ts';
import { insertStream } from '../../service/store/split-streams.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

describe('sweeps', () => {
  const clock = manualClock();
  let db: Database;
  let dataDir: string;
  let tenantId: string;
  before(async () => {
    const options = await sqliteOptions();
    dataDir = options.dataDir;
    db = await openDatabase(options);
    await migrateDatabase(db);
    tenantId = (await storedTenant(db.knex)).id;
  });
  after(async () => {
    await db.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  it('delete journals and blobs 90 days after the end of a run, and idempotency keys after 5 minutes', async () => {
    const endedAt = clock.now();
    const id = firstExecutionId(endedAt).padEnd(32, '0');
    const writer = createExecutionWriter(db);
    await writer.write(
      sampleExecution(tenantId, { id, createdAt: endedAt, updatedAt: endedAt, completedAt: endedAt }),
    );
    await writer.close();
    const key = { tenant_id: tenantId, execution_id: id };
    await db.knex('journal').insert({ ...key, seq: 0, body: '[]', at: endedAt });
    await db.knex('idempotency').insert({ ...key, key_hash: 'hash', created_at: endedAt });
    // The newest row of the log remains, whatever its age.
    await db.knex('idempotency').insert({ ...key, key_hash: 'later', created_at: endedAt });
    const blobs = createBlobStore(createDiskObjectStore(dataDir));
    const blob = await blobs.put(tenantId, id, Uint8Array.of(1));
    const sweeps = createSweeps({ db, blobs, clock, logger: pino({ level: 'silent' }) });
    const left = async (table: string): Promise<number> => (await db.knex(table).select()).length;

    clock.advance(5 * minuteMs);
    await sweeps.sweep();
    assert.equal(await left('idempotency'), 2);
    clock.advance(1);
    await sweeps.sweep();
    assert.equal(await left('idempotency'), 1);

    clock.advance(90 * dayMs - 5 * minuteMs - 1);
    await sweeps.sweep();
    assert.equal(await left('journal'), 1);
    assert.deepEqual([...(await blobs.read(tenantId, id, blob))], [1]);
    clock.advance(1);
    await sweeps.sweep();
    assert.equal(await left('journal'), 0);
    await assert.rejects(blobs.read(tenantId, id, blob));
  });

  it('delete split streams and their output 10 minutes after they expire', async () => {
    const expiresAt = clock.now() + 10 * minuteMs;
    const stream = sampleStream(tenantId, { id: 'S1', expiresAt });
    const uploading = sampleStream(tenantId, { id: 'S2', expiresAt, status: 'uploading', owner: 'R1' });
    for (const one of [stream, uploading]) await insertStream(db.knex, one);
    const blobs = createBlobStore(createDiskObjectStore(dataDir));
    const blob = await blobs.put(tenantId, 'S1', Uint8Array.of(1));
    const chunk = { tenant_id: tenantId, stream_id: 'S1', first_frame: 0, body: null, blob };
    await db.knex('split_chunks').insert(chunk);
    const sweeps = createSweeps({ db, blobs, clock, logger: pino({ level: 'silent' }) });
    const left = async (): Promise<unknown[]> => db.knex('split_streams').orderBy('id').pluck('id');

    clock.advance(20 * minuteMs);
    await sweeps.sweep();
    assert.deepEqual(await left(), ['S1', 'S2']);
    clock.advance(1);
    await sweeps.sweep();
    // A replica works on the other one, or another replica will end it.
    assert.deepEqual(await left(), ['S2']);
    assert.deepEqual(await db.knex('split_chunks').select(), []);
    await assert.rejects(blobs.read(tenantId, 'S1', blob), /is missing/);
  });

  it('delete the heartbeats of killed processes', async () => {
    await db.knex('replicas').insert([
      { id: 'killed', heartbeat_at: Date.now() - 2 * 60 * minuteMs },
      { id: 'silent', heartbeat_at: Date.now() - minuteMs },
    ]);
    const blobs = createBlobStore(createDiskObjectStore(dataDir));
    await createSweeps({ db, blobs, clock, logger: pino({ level: 'silent' }) }).sweep();
    assert.deepEqual(await db.knex('replicas').pluck('id'), ['silent']);
  });

  it('delete logins when they expire', async () => {
    const sweeps = createSweeps({
      db,
      blobs: createBlobStore(createDiskObjectStore(dataDir)),
      clock,
      logger: pino({ level: 'silent' }),
    });
    const now = clock.now();
    await insertLogin(db.knex, {
      secretHash: 'hash',
      code: 'BBBB-BBBB',
      address: '127.0.0.1',
      createdAt: now,
      expiresAt: now + minuteMs,
      tenantId: null,
    });
    const left = async (): Promise<number> => (await db.knex('logins').select()).length;
    clock.advance(minuteMs - 1);
    await sweeps.sweep();
    assert.equal(await left(), 1);
    clock.advance(1);
    await sweeps.sweep();
    assert.equal(await left(), 0);
  });

  it('run once soon after the start', async () => {
    const endedAt = clock.now();
    const journal = { tenant_id: tenantId, execution_id: firstExecutionId(endedAt).padEnd(32, '1') };
    await db.knex('journal').insert({ ...journal, seq: 0, body: '[]', at: endedAt });
    for (const key_hash of ['first', 'last']) {
      await db.knex('idempotency').insert({ ...journal, key_hash, created_at: endedAt });
    }
    await insertStream(db.knex, sampleStream(tenantId, { id: 'S3', expiresAt: endedAt }));
    await insertLogin(db.knex, {
      secretHash: 'other',
      code: 'CCCC-CCCC',
      address: '127.0.0.1',
      createdAt: endedAt,
      expiresAt: endedAt,
      tenantId: null,
    });
    await db.knex('daily_usage').insert({ tenant_id: tenantId, day: 1, invocations: 1, executions: 1 });
    clock.advance(91 * dayMs);
    const left = async (): Promise<Record<string, number>> => {
      const counts = await Promise.all([
        db.knex('journal').where(journal),
        db.knex('idempotency').where({ key_hash: 'first' }),
        db.knex('split_streams').where({ id: 'S3' }),
        db.knex('logins'),
        db.knex('daily_usage'),
      ]);
      return Object.fromEntries(
        ['journal', 'keys', 'streams', 'logins', 'usage'].map((name, at) => [name, counts[at]?.length ?? -1]),
      );
    };
    const blobs = createBlobStore(createDiskObjectStore(dataDir));
    const sweeps = createSweeps({ db, blobs, clock, logger: pino({ level: 'silent' }), spreadMs: 10 });
    assert.deepEqual(await left(), { journal: 1, keys: 1, streams: 1, logins: 1, usage: 1 });
    sweeps.start();
    await eventually(async () =>
      Object.values(await left()).every((count) => count === 0) ? true : undefined,
    );
    await sweeps.close();
  });
});
