import assert from 'node:assert/strict';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { pino } from 'pino';
import { type CuttingProxy, startCuttingProxy } from '../support/cutting-proxy.ts';
import { migratedPostgresOptions } from '../support/databases.ts';
import { openEvents } from '../support/event-stream.ts';
import { eventsOf, idOf, recordOf } from '../support/execution-records.ts';
import { runSvc } from '../support/run-svc.ts';
import { type Caller, type RunningService, startService } from '../support/running-service.ts';
import { type ServeProcess, startServeProcess } from '../support/serve-process.ts';
import { publishStreams, type StreamPackage } from '../support/stream-package.ts';
import { suiteNeeds } from '../support/toolchains.ts';

suiteNeeds('postgres', 'a service whose PostgreSQL is unavailable', function () {
  this.timeout(180_000);

  let proxy: CuttingProxy;
  let env: Record<string, string>;
  let service: ServeProcess | undefined;

  beforeEach(async () => {
    const { url, dataDir } = await migratedPostgresOptions();
    const direct = new URL(url ?? '');
    proxy = await startCuttingProxy(`http://${direct.host}`);
    direct.host = new URL(proxy.url).host;
    env = { SVC_DATABASE_URL: direct.href, SVC_DATA_DIR: dataDir };
    service = await startServeProcess(env);
  });

  afterEach(async () => {
    await service?.kill();
    await proxy.stop();
  });

  const keyOfTenant = async (): Promise<string> => {
    await runSvc(['tenant', 'create', 'acme'], { env });
    return (await runSvc(['key', 'create', '--tenant', 'acme'], { env })).stdout.trim();
  };
  const listPackages = (key: string): Promise<Response> =>
    fetch(`${service!.url}/api/v1/packages`, { headers: { Authorization: `Bearer ${key}` } });

  it('exits on SIGTERM and reports what it could not store', async () => {
    proxy.refuse(true);
    proxy.cut();
    const exited = once(service!.child, 'exit');
    service!.child.kill('SIGTERM');
    assert.deepEqual(await exited, [1, null]);
    assert.match(
      service!.stderr(),
      /\nsvc: the service has stopped, but could not store everything: [^\n]+; its runs continue in another replica, or at the next start, as after a crash\n$/,
    );
  });

  it('answers 503 until the database is back', async () => {
    const key = await keyOfTenant();
    const list = () => listPackages(key);
    assert.equal((await list()).status, 200);

    proxy.refuse(true);
    proxy.cut();
    const refused = await list();
    assert.equal(refused.status, 503);
    assert.equal(refused.headers.get('Retry-After'), '5');
    assert.partialDeepStrictEqual(await refused.json(), {
      code: 'upstream_unavailable',
      message: 'the database is unavailable',
      retry_after_seconds: 5,
    });

    proxy.refuse(false);
    assert.equal((await list()).status, 200);
  });

  describe('while a stream runs', () => {
    const log: { level: number; msg: string }[] = [];
    const logger = pino({}, { write: (line: string) => void log.push(JSON.parse(line) as (typeof log)[0]) });
    let streaming: RunningService;
    let acme: Caller;
    let streams: StreamPackage;
    let later: StreamPackage;
    /** Lets the node `a` produce its frame. */
    let go: () => void;
    let asked: Promise<undefined>;

    beforeEach(async () => {
      log.length = 0;
      streaming = await startService(env, { logger });
      acme = await streaming.tenant('acme');
      streams = await publishStreams(acme, 'acme');
      later = await publishStreams(acme, 'acme', 'later');
      const arrived = Promise.withResolvers<undefined>();
      const going = Promise.withResolvers<undefined>();
      asked = arrived.promise;
      go = () => going.resolve(undefined);
      streams.handlers.set('Flow', async function* () {
        arrived.resolve(undefined);
        await going.promise;
        yield { text: 'a' };
      });
    });

    afterEach(async () => {
      proxy.refuse(false);
      await streaming.stop();
      await streams.server.stop(0);
      await later.server.stop(0);
    });

    /** Starts a flow of two nodes. Resolves once the first one works. */
    const start = async (next: { package: string; node_name: string }) => {
      const compiled = await acme.post('/api/v1/graphs/compile', {
        name: 'chain',
        mode: 'pipeline',
        entry: 'a',
        terminal: 'b',
        nodes: [
          { id: 'a', package: 'acme/streams', node_name: 'Flow' },
          { id: 'b', ...next },
        ],
        edges: [{ id: 'ab', from: 'a', to: 'b' }],
      });
      const { graph_id } = compiled.body as { graph_id: string };
      const stream = await openEvents(`${streaming.url}/invocations/v1/flows/invoke/stream`, {
        method: 'POST',
        headers: { authorization: `Bearer ${acme.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ graph_id, input: { text: 'x' }, timeout_seconds: 120 }),
      });
      await asked;
      return stream;
    };
    /** Lets the second node start while the database is away for `ms` milliseconds. */
    const goWithoutDatabase = async (ms: number): Promise<void> => {
      proxy.refuse(true);
      proxy.cut();
      go();
      await pause(ms);
      proxy.refuse(false);
    };
    const succeeded = (execution_id: string) => [
      { execution_id, frame_index: 0, payload: { text: 'a' }, is_final: false },
      { execution_id, frame_index: 1, is_final: true, success: true },
    ];

    it('starts a node once the database is back', async () => {
      const stream = await start({ package: 'acme/streams', node_name: 'Once' });
      // Runs read a deployment again after a second.
      await pause(1_100);
      await goWithoutDatabase(500);
      assert.deepEqual(await stream.rest(), succeeded(idOf(stream)));
    });

    it('verifies the container of a node once the database is back', async () => {
      const stream = await start({ package: 'acme/later', node_name: 'Flow' });
      // A refused call reads the deployment, which runs use for a second, and does not connect to the container.
      const refused = await acme.post('/invocations/v1/nodes/acme/later/1.0.0/Flow', { text: 1 });
      assert.equal(refused.status, 400);
      await goWithoutDatabase(500);
      assert.deepEqual(await stream.rest(), succeeded(idOf(stream)));
    });

    it('fails the run if the outage exceeds 30 seconds', async () => {
      const stream = await start({ package: 'acme/streams', node_name: 'Once' });
      await pause(1_100);
      await goWithoutDatabase(32_000);
      const execution_id = idOf(stream);
      const error = 'the database is unavailable';
      assert.deepEqual(await stream.rest(), [{ execution_id, frame_index: 0, is_final: true, error }]);
      const { status, error_message, failed_node_name } = await recordOf(acme, execution_id);
      assert.deepEqual([status, error_message, failed_node_name], ['FAILED', error, 'b']);
      const errors = log.filter(({ level }) => level >= 50).map(({ msg }) => msg);
      assert.ok(errors.includes('a node of a stream could not be called'), errors.join());
      assert.ok(!errors.includes('a stream failed'), errors.join());
    });
  });

  it('records the call of a pipeline node that ends during the outage, and sends its last frame', async () => {
    const streaming = await startService(env);
    const acme = await streaming.tenant('acme');
    const { handlers, server } = await publishStreams(acme, 'acme');
    const going = Promise.withResolvers<undefined>();
    handlers.set('Flow', async function* () {
      yield { text: 'a' };
      await going.promise;
    });
    try {
      const stream = await openEvents(`${streaming.url}/invocations/v1/nodes/acme/streams/1.0.0/Flow`, {
        method: 'POST',
        headers: { authorization: `Bearer ${acme.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ text: 'x' }),
      });
      const execution_id = idOf(stream);
      const frame = { execution_id, frame_index: 0, payload: { text: 'a' }, is_final: false };
      assert.deepEqual(await stream.next(), frame);
      proxy.refuse(true);
      proxy.cut();
      going.resolve(undefined);
      await pause(500);
      proxy.refuse(false);
      assert.deepEqual(await stream.rest(), [
        { execution_id, frame_index: 1, is_final: true, success: true },
      ]);
      assert.partialDeepStrictEqual(await recordOf(acme, execution_id), { status: 'COMPLETED' });
      const events = (await eventsOf(acme, execution_id)) as { type: string }[];
      assert.deepEqual(
        events.map(({ type }) => type),
        ['NODE_STARTED', 'NODE_INPUT_FRAME', 'NODE_FRAME', 'NODE_STREAM_COMPLETE'],
      );
    } finally {
      await streaming.stop();
      await server.stop(0);
    }
  });

  it('drops connections that do not answer within 30 seconds, and uses others', async () => {
    const key = await keyOfTenant();
    const list = () => listPackages(key);
    assert.equal((await list()).status, 200);
    proxy.silence();
    const refused = await list();
    assert.equal(refused.status, 503);
    assert.partialDeepStrictEqual(await refused.json(), { message: 'the database is unavailable' });
    assert.equal((await list()).status, 200);
  });

  it('answers 503 to writes while the database is read-only', async () => {
    const key = await keyOfTenant();
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
    const path = `${service!.url}/api/v1/configs/a`;
    const put = (): Promise<Response> => fetch(path, { method: 'PUT', headers, body: '{}' });
    const readOnly = async (setting: 'on' | 'off'): Promise<void> => {
      const { SVC_DATABASE_URL: url = '' } = env;
      const client = new pg.Client(url);
      await client.connect();
      await client.query('begin read write');
      const name = client.escapeIdentifier(new URL(url).pathname.slice(1));
      await client.query(`alter database ${name} set default_transaction_read_only = ${setting}`);
      await client.query('commit');
      await client.end();
      // The setting applies to new connections.
      proxy.cut();
    };
    await readOnly('on');
    const refused = await put();
    assert.deepEqual([refused.status, refused.headers.get('Retry-After')], [503, '5']);
    assert.partialDeepStrictEqual(await refused.json(), { message: 'the database is unavailable' });
    assert.equal((await fetch(path, { headers })).status, 404);
    await readOnly('off');
    assert.equal((await put()).status, 200);
  });
});
