import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import type { Frame } from '../support/event-stream.ts';
import { eventsOf, recordOf } from '../support/execution-records.ts';
import { eventually } from '../support/eventually.ts';
import { migratedPostgresOptions, sqliteOptions } from '../support/databases.ts';
import { type DatabaseOptions, openDatabase } from '../../service/store/open-database.ts';
import { type Answer, type Caller, request } from '../support/running-service.ts';
import { runSvc } from '../support/run-svc.ts';
import { type ServeProcess, startServeProcess } from '../support/serve-process.ts';
import { createSplit, splitAt } from '../support/split-stream.ts';
import { publishStreams, type StreamPackage } from '../support/stream-package.ts';
import { suiteNeeds } from '../support/toolchains.ts';
import { openUpload } from '../support/upload.ts';

const flow = 'acme/streams/1.0.0/Flow';
const stopped = 'the process that ran the stream has stopped: streams are not resumed';

suiteNeeds('processes', 'split streams whose process is killed', function () {
  this.timeout(180_000);
  describe('on SQLite', () => killing(sqliteOptions));
  suiteNeeds('postgres', 'on PostgreSQL', () => killing(migratedPostgresOptions));
});

function killing(makeOptions: () => Promise<DatabaseOptions>): void {
  let options: DatabaseOptions;
  let env: Record<string, string>;
  let service: ServeProcess;
  let key: string;
  let streams: StreamPackage;

  before(async () => {
    options = await makeOptions();
    env = {
      SVC_DATA_DIR: options.dataDir,
      ...(options.url != null && { SVC_DATABASE_URL: options.url }),
    };
    service = await startServeProcess(env);
    for (const args of [
      ['tenant', 'create', 'acme'],
      ['key', 'create', '--tenant', 'acme'],
    ]) {
      const { code, stdout, stderr } = await runSvc(args, { env });
      assert.equal(code, 0, stderr);
      key = stdout.trim();
    }
    streams = await publishStreams(caller as Caller, 'acme');
  });
  after(async () => {
    await service.kill();
    await streams.server.stop(0);
    await rm(options.dataDir, { recursive: true, force: true });
  });

  const send = (path: string, body?: unknown): Promise<Answer> =>
    request(service.url + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  const caller = { get: (path: string) => send(path), post: send };
  const textsOf = (frames: Frame[]): unknown[] =>
    frames.slice(0, -1).map(({ payload }) => (payload as { text?: string }).text);
  const restart = async (): Promise<void> => {
    await service.kill();
    if (options.url != null) await forgetReplicas();
    service = await startServeProcess(env);
  };
  /** Simulates that 15 seconds have passed. */
  const forgetReplicas = async (): Promise<void> => {
    const db = await openDatabase(options);
    await db.knex('replicas').update({ heartbeat_at: 0 });
    await db.close();
  };
  /** The same stream at the current process. */
  const again = (id: string) => splitAt(service.url, { key }, id);

  it('accept their upload after the restart if they had none', async () => {
    const { id } = await createSplit(service.url, { key }, flow);
    await restart();
    assert.equal((await again(id).upload('{"text":"a"}\n')).body.input_frames, 1);
  });

  it('keep an acknowledged upload', async () => {
    const stream = await createSplit(service.url, { key }, flow);
    const large = 'x'.repeat(200_000);
    const { body } = await stream.upload(`{"text":"a"}\n{"text":"${large}"}\n{"text":"c"}\n`);
    assert.equal(body.input_frames, 3);
    const before = await (await stream.read()).rest();
    await restart();
    assert.deepEqual(await (await again(stream.id).read()).rest(), before);
    assert.deepEqual(textsOf(before), ['a', large, 'c']);
    const record = await recordOf(caller, body.execution_id);
    assert.equal(record.status, 'COMPLETED');
  });

  it('end with an error, for readers and in the record, if the upload was in progress', async () => {
    let signal: AbortSignal | undefined;
    streams.handlers.set('Flow', async function* (frames, context) {
      ({ signal } = context);
      for await (const { text } of frames) yield { text };
    });
    const stream = await createSplit(service.url, { key }, flow);
    const reader = await stream.read();
    const upload = openUpload();
    const answer = stream.upload(upload);
    answer.catch(() => undefined);
    await upload.send('{"text":"a"}\n');
    await upload.send('{"text":"b"}\n');
    const seen = [await reader.next(), await reader.next()];
    assert.deepEqual(
      seen.map((frame) => frame?.payload as unknown),
      [{ text: 'a' }, { text: 'b' }],
    );
    service.child.kill('SIGKILL');
    await assert.rejects(reader.next());
    await assert.rejects(answer);
    await eventually(() => Promise.resolve(signal?.aborted === true ? true : undefined));
    await restart();

    const returned = await again(stream.id).read('1');
    const execution_id = seen[0]?.execution_id ?? '';
    const last = { execution_id, frame_index: 2, is_final: true, error: stopped, input_frames: 2 };
    assert.deepEqual(await returned.rest(), [last]);
    assert.deepEqual(await (await again(stream.id).read()).rest(), [...seen, last]);
    assert.equal((await again(stream.id).upload('{}\n')).status, 409);
    const record = await recordOf(caller, execution_id);
    assert.deepEqual([record.status, record.node_fqn], ['FAILED', flow]);
    const events = (await eventsOf(caller, execution_id)) as Record<string, unknown>[];
    assert.deepEqual(
      events.map(({ type }) => type),
      ['NODE_STARTED', 'NODE_INPUT_FRAME', 'NODE_FAILED'],
    );
    const failed = events.at(-1);
    assert.deepEqual([failed?.error, failed?.input_frames, failed?.total_frames], [stopped, 2, 2]);
  });
}
