import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import type { Frame } from '../support/event-stream.ts';
import { type CuttingProxy, startCuttingProxy } from '../support/cutting-proxy.ts';
import { migratedPostgresOptions } from '../support/databases.ts';
import { eventually } from '../support/eventually.ts';
import { idOf, recordOf } from '../support/execution-records.ts';
import { type Caller, type RunningService, startService } from '../support/running-service.ts';
import { createSplit, splitAt } from '../support/split-stream.ts';
import { publishStreams, type StreamPackage } from '../support/stream-package.ts';
import { suiteNeeds } from '../support/toolchains.ts';
import { openUpload } from '../support/upload.ts';

const flow = 'acme/streams/1.0.0/Flow';

/** Of all frames but the last. */
const textsOf = (frames: Frame[]): unknown[] =>
  frames.slice(0, -1).map(({ payload }) => (payload as { text?: string }).text);

suiteNeeds('postgres', 'a split stream during an outage of PostgreSQL', function () {
  this.timeout(180_000);

  let dataDir: string;
  let proxy: CuttingProxy;
  let service: RunningService;
  let acme: Caller;
  let streams: StreamPackage;
  before(async () => {
    const options = await migratedPostgresOptions();
    ({ dataDir } = options);
    const url = new URL(options.url ?? '');
    proxy = await startCuttingProxy(`http://${url.host}`);
    url.host = new URL(proxy.url).host;
    service = await startService({ SVC_DATABASE_URL: url.href, SVC_DATA_DIR: dataDir });
    acme = await service.tenant('acme');
    streams = await publishStreams(acme, 'acme');
  });
  after(async () => {
    await service.stop();
    await streams.server.stop(0);
    await proxy.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  /** Uploads a frame before the database is gone for a second, one meanwhile, and `last` frames afterwards. */
  const uploadOver = async (last: readonly string[]) => {
    const split = await createSplit(service.url, acme, flow);
    const upload = openUpload();
    const answer = split.upload(upload);
    await upload.send('{"text":"a"}\n');
    const reader = await split.read();
    assert.deepEqual((await reader.next())?.payload, { text: 'a' });
    proxy.refuse(true);
    proxy.cut();
    await upload.send('{"text":"b"}\n');
    if (last.length === 0) upload.end();
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    proxy.refuse(false);
    for (const line of last) await upload.send(line);
    if (last.length > 0) upload.end();
    const { status, body } = await answer;
    assert.equal(status, 200, JSON.stringify(body));
    return { body, frames: await (await split.read()).rest() };
  };

  it('continues after the outage, with each frame exactly once', async () => {
    const { body, frames } = await uploadOver(['{"text":"c"}\n']);
    assert.equal(body.input_frames, 3);
    assert.deepEqual(textsOf(frames), ['a', 'b', 'c']);
    assert.equal(frames.at(-1)?.success, true);
  });

  it('ends after the outage, with its complete history', async () => {
    const { body, frames } = await uploadOver([]);
    assert.equal(body.input_frames, 2);
    assert.deepEqual(textsOf(frames), ['a', 'b']);
    const answer = await acme.get(`/invocations/v1/executions/${body.execution_id}/events`);
    const types = (answer.body as { events: { type: string }[] }).events.map(({ type }) => type);
    assert.equal(types.filter((type) => type === 'NODE_INPUT_FRAME').length, 2, types.join(' '));
    assert.equal(types.at(-1), 'NODE_STREAM_COMPLETE', types.join(' '));
  });
});

suiteNeeds('postgres', 'split streams on two replicas', function () {
  this.timeout(180_000);
  let dataDir: string;
  let one: RunningService;
  let other: RunningService;
  let acme: Caller;
  let streams: StreamPackage;
  beforeEach(async () => {
    const options = await migratedPostgresOptions();
    ({ dataDir } = options);
    const env = { SVC_DATABASE_URL: options.url ?? '', SVC_DATA_DIR: dataDir };
    one = await startService(env);
    other = await startService(env);
    acme = await one.tenant('acme');
    streams = await publishStreams(acme, 'acme');
  });
  afterEach(async () => {
    await one.stop();
    await other.stop();
    await streams.server.stop(0);
    await rm(dataDir, { recursive: true, force: true });
  });

  it('can be read at the replica without the upload, frame by frame as they are stored', async () => {
    const here = await createSplit(one.url, acme, flow);
    const there = splitAt(other.url, acme, here.id);
    const reader = await there.read();
    const upload = openUpload();
    const answer = here.upload(upload);
    await upload.send('{"text":"a"}\n');
    assert.deepEqual((await reader.next())?.payload, { text: 'a' });
    assert.equal((await there.upload('{"text":"b"}\n')).status, 409);
    const large = 'x'.repeat(300_000);
    await upload.send(`{"text":"${large}"}\n`);
    upload.end();
    assert.deepEqual(textsOf(await reader.rest()), [large]);
    assert.equal((await answer).body.input_frames, 2);
    assert.deepEqual(textsOf(await (await there.read('0')).rest()), [large]);
  });

  it('accept one of two concurrent uploads to different replicas', async () => {
    const here = await createSplit(one.url, acme, flow);
    const there = splitAt(other.url, acme, here.id);
    const answers = await Promise.all([here.upload('{"text":"a"}\n'), there.upload('{"text":"a"}\n')]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
  });

  it('end with an error when their replica stops, and readers continue at the other replica', async () => {
    const here = await createSplit(one.url, acme, flow);
    const idle = await createSplit(one.url, acme, flow);
    const readers = [await here.read(), await idle.read()];
    const upload = openUpload();
    const answer = here.upload(upload);
    await upload.send('{"text":"a"}\n');
    assert.deepEqual((await readers[0]?.next())?.payload, { text: 'a' });
    await one.app.drain(50);
    assert.equal((await answer).status, 200);
    const error = 'recv from node "Flow": the service was stopped before the node answered';
    const rest = await splitAt(other.url, acme, here.id).read('0');
    assert.deepEqual(
      (await rest.rest()).map((frame) => frame.error),
      [error],
    );
    const there = other.withKey(acme.tenant, acme.key);
    assert.equal((await recordOf(there, idOf(rest))).status, 'FAILED');
    // The reader of a stream that has not ended gets no last frame, and comes back.
    assert.deepEqual(await readers[1]?.rest(), []);
    const returned = await splitAt(other.url, acme, idle.id).read();
    assert.equal((await splitAt(other.url, acme, idle.id).upload('{"text":"b"}\n')).status, 200);
    assert.deepEqual(textsOf(await returned.rest()), ['b']);
  });

  it('are ended by the other replica when theirs goes silent, which then stores nothing', async () => {
    const here = await createSplit(one.url, acme, flow);
    const there = splitAt(other.url, acme, here.id);
    const reader = await there.read();
    const upload = openUpload();
    const answer = here.upload(upload);
    await upload.send('{"text":"a"}\n');
    assert.deepEqual((await reader.next())?.payload, { text: 'a' });
    const last = reader.next();
    let isEnded = false;
    void last.then(() => (isEnded = true));
    await eventually(async () => {
      // Simulates that none of its heartbeats arrive.
      await other.db.knex('replicas').update({ heartbeat_at: 0 });
      return isEnded ? true : undefined;
    });
    const error = 'the process that ran the stream has stopped: streams are not resumed';
    assert.equal((await last)?.error, error);
    await upload.send('{"text":"b"}\n').catch(() => undefined);
    upload.end();
    const { status, body } = await answer;
    assert.deepEqual([status, body.error_message], [502, 'the stream was taken over by another replica']);
    const frames = await (await here.read()).rest();
    assert.deepEqual([textsOf(frames), frames.at(-1)?.error], [['a'], error]);
    const record = await recordOf(acme, idOf(reader));
    assert.equal(record.status, 'FAILED');
  });
});
