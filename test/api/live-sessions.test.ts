import assert from 'node:assert/strict';
import { suspendedText } from '../../specs/operations/access-texts.ts';
import { setTimeout as pause } from 'node:timers/promises';
import { updateTenantStatus } from '../../service/store/tenants.ts';
import { limits } from '../../specs/limits.ts';
import type { Frame } from '../support/event-stream.ts';
import { recordOf } from '../support/execution-records.ts';
import { itSlow } from '../support/fast-run.ts';
import { type Caller, eachService, type RunningService } from '../support/running-service.ts';
import { openSocket, refusedSocket, type SocketClient } from '../support/socket-client.ts';
import { publishStreams, type StreamPackage } from '../support/stream-package.ts';
import { eventually } from '../support/eventually.ts';
import { until } from '../support/until.ts';

const nodes = '/invocations/v1/nodes/acme/streams/1.0.0';

eachService('live sessions', (start, describeOnce) => {
  let service: RunningService;
  let acme: Caller;
  let streams: StreamPackage;

  let sockets: SocketClient[];

  before(async () => {
    service = await start();
    acme = await service.tenant('acme');
    streams = await publishStreams(acme, 'acme');
  });
  beforeEach(() => {
    streams.reset();
    sockets = [];
  });
  afterEach(async () => {
    for (const { ws } of sockets) ws.terminate();
    await noSlots();
  });
  after(async () => {
    await service.stop();
    await streams.server.stop(0);
  });

  const live = `${nodes}/Flow/live`;
  const headersOf = (caller: Caller) => ({ authorization: `Bearer ${caller.key}` });
  const open = async (path = live, caller = acme): Promise<SocketClient> => {
    const socket = await openSocket(service.url + path, { headers: headersOf(caller) });
    sockets.push(socket);
    return socket;
  };
  const refusal = async (path: string, caller = acme): Promise<[number, Record<string, string>]> => {
    const { status, body } = await refusedSocket(service.url + path, { headers: headersOf(caller) });
    const refused = JSON.parse(body) as Record<string, string>;
    // A client that cannot see the status repeats the request without an upgrade.
    const plain = await fetch(service.url + path, { headers: headersOf(caller) });
    const { error, error_message } = (await plain.json()) as Record<string, string>;
    // This request does not check whether the container answers.
    if (status === 502) assert.equal(plain.status, 426);
    else
      assert.deepEqual(
        [plain.status, error ?? error_message],
        [status, refused.error ?? refused.error_message],
      );
    return [status, refused];
  };
  /** The message `index`, after `SESSION_READY`. */
  const frameOf = async (socket: SocketClient, index: number): Promise<Frame> =>
    JSON.parse((await socket.receives(index + 2))[index + 1] ?? '') as Frame;
  const readyOf = async (socket: SocketClient): Promise<Record<string, unknown>> =>
    JSON.parse((await socket.receives(1))[0] ?? '') as Record<string, unknown>;
  const slots = async (): Promise<number> => (await service.db.knex('live_sessions').select()).length;
  const noSlots = () => eventually(async () => ((await slots()) === 0 ? true : undefined));
  /** Makes the node report when its call is cancelled. */
  const watchedNode = (): { signal: () => AbortSignal | undefined } => {
    let signal: AbortSignal | undefined;
    streams.handlers.set('Flow', async function* (frames, context) {
      ({ signal } = context);
      for await (const { text } of frames) yield { text };
    });
    return { signal: () => signal };
  };

  it('announce their contract and answer each message while open', async () => {
    const socket = await open();
    const ready = await readyOf(socket);
    const { contract, execution_id, timestamp_ms, ...rest } = ready;
    assert.deepEqual(rest, {
      type: 'SESSION_READY',
      ephemeral: true,
      limits: {
        input_frame_bytes: 16_777_216,
        input_bytes: 67_108_864,
        input_frames: 100_000,
        output_bytes: 67_108_864,
        session_seconds: 300,
        stall_seconds: 30,
      },
    });
    assert.match(String(contract), /ephemeral: it has no execution record/);
    assert.match(String(execution_id), /^[0-9a-f]{32}$/);
    assert.equal(typeof timestamp_ms, 'number');
    for (const [index, text] of ['a', 'é€𝄞'].entries()) {
      socket.ws.send(JSON.stringify({ text }));
      const frame = await frameOf(socket, index);
      assert.deepEqual(frame, { execution_id, frame_index: index, payload: { text }, is_final: false });
    }
    socket.ws.close();
    assert.equal((await socket.closed).code, 1005);
    await noSlots();
    assert.equal((await recordOf(acme, String(execution_id))).error, 'execution not found');
    assert.deepEqual(await service.db.knex('journal').select(), []);
  });

  it('open by the id of the node and send frames before any input', async () => {
    streams.handlers.set('Flow', function* () {
      yield { text: 'hello' };
    });
    const { body } = await acme.get('/api/v1/packages/acme/streams/1.0.0');
    const { node_ulid } = body.nodes.find((node: { name: string }) => node.name === 'Flow');
    const socket = await open(`/invocations/v1/nodes/${node_ulid}/live`);
    assert.deepEqual((await frameOf(socket, 0)).payload, { text: 'hello' });
  });

  it('close with 1000 when the node ends', async () => {
    streams.handlers.set('Flow', async function* (frames) {
      for await (const { text } of frames) {
        yield { text };
        return;
      }
    });
    const socket = await open();
    socket.ws.send('{"text":"a"}');
    const { execution_id } = await readyOf(socket);
    assert.deepEqual(await frameOf(socket, 1), {
      execution_id,
      frame_index: 1,
      is_final: true,
      success: true,
      input_frames: 1,
    });
    assert.equal((await socket.closed).code, 1000);
    assert.equal(await slots(), 0);
  });

  it('skip blank messages and accept multi-line JSON', async () => {
    const socket = await open();
    for (const text of ['', '  ', '\r\n', '{\n"text":\n"a"}']) socket.ws.send(text);
    assert.deepEqual((await frameOf(socket, 0)).payload, { text: 'a' });
    socket.ws.close();
    await socket.closed;
  });

  it('end with the error of a failed node', async () => {
    streams.handlers.set('Flow', async function* (frames) {
      for await (const { text } of frames) {
        if (text === 'b') throw new Error('no b');
        yield { text };
      }
    });
    const socket = await open();
    socket.ws.send('{"text":"a"}');
    socket.ws.send('{"text":"b"}');
    const { execution_id } = await readyOf(socket);
    assert.deepEqual(await frameOf(socket, 1), {
      execution_id,
      frame_index: 1,
      is_final: true,
      error: 'no b',
      input_frames: 2,
    });
    assert.equal((await socket.closed).code, 1000);
    assert.equal(await slots(), 0);
  });

  it('end with an error that identifies the invalid frame', async () => {
    for (const [messages, error] of [
      [['{"txt":1}'], /^frame 0: invalid JSON for s\.Text: unknown field "txt"/],
      [['{}', '{"text":'], /^frame 1: invalid JSON for s\.Text: /],
      [['{}', '{"kind":9}'], /^frame 1: invalid value for s\.Text: field kind carries enum ordinal 9/],
      [['{}', `{"text":${'['.repeat(400)}`], /^frame 1: invalid request body: /],
      [['{}{}'], /^frame 0: invalid JSON for s\.Text: /],
    ] as const) {
      const socket = await open();
      for (const message of messages) socket.ws.send(message);
      assert.equal((await socket.closed).code, 1000);
      const last = JSON.parse(socket.received.at(-1) ?? '') as Frame;
      assert.match(last.error ?? '', error);
      assert.deepEqual([last.is_final, last.input_frames], [true, messages.length - 1]);
    }
  });

  it('end with an error if the container dies', async () => {
    const { server } = await publishStreams(acme, 'acme', 'dying');
    const dying = live.replace('streams', 'dying');
    const socket = await open(dying);
    socket.ws.send('{"text":"a"}');
    await frameOf(socket, 0);
    await server.stop(0);
    assert.match((await frameOf(socket, 1)).error ?? '', /^recv from node "Flow": /);
    assert.equal((await socket.closed).code, 1000);
    assert.equal(await slots(), 0);
    const [status, { error_message }] = await refusal(dying);
    assert.equal(status, 502);
    assert.match(error_message ?? '', /could not connect to node/);
    assert.equal(await slots(), 0);
  });

  it('cancel the node when the client disconnects', async () => {
    const { signal } = watchedNode();
    const socket = await open();
    socket.ws.send('{"text":"a"}');
    await frameOf(socket, 0);
    socket.ws.terminate();
    await until(() => signal()?.aborted === true);
    await noSlots();
  });

  it('refuse binary messages', async () => {
    const socket = await open();
    await readyOf(socket);
    socket.ws.send(Buffer.from('{}'));
    assert.equal((await socket.closed).code, 1003);
    await noSlots();
  });

  itSlow('apply backpressure to the node while the client does not read', async () => {
    const text = 'x'.repeat(100_000);
    let made = 0;
    streams.handlers.set('Flow', async function* () {
      for (; made < 500; made += 1) {
        yield { text };
        await pause(0);
      }
    });
    const socket = await open();
    socket.ws.pause();
    let before = -1;
    while (before !== made) {
      before = made;
      await pause(300);
    }
    assert.ok(made < 400, `${made} of 500 frames of 100 kB were made although the client reads none`);
    socket.ws.resume();
    await frameOf(socket, 499);
    socket.ws.close();
    await socket.closed;
  }).timeout(60_000);

  describe('occupy a slot of the tenant', () => {
    it('that runs and sessions share, until they end', async () => {
      const capped = await service.tenant('capped', {
        limits: { rps: 1e6, burst: 1e6, invocationRps: 1e6, invocationBurst: 1e6, inflight: 1 },
      });
      const container = await publishStreams(capped, 'capped');
      try {
        const path = '/invocations/v1/nodes/capped/streams/1.0.0/Flow/live';
        const compiled = await capped.post('/api/v1/graphs/compile', {
          name: 'once',
          entry: 'a',
          terminal: 'a',
          nodes: [{ id: 'a', package: 'capped/streams', node_name: 'Once' }],
          edges: [],
        });
        const run = (text: string) =>
          capped.post('/invocations/v1/flows/invoke', {
            graph_id: compiled.body.graph_id,
            input: { text },
            wait: true,
          });
        const socket = await open(path, capped);
        const [status, body] = await refusal(path, capped);
        assert.deepEqual([status, body.error], [429, 'inflight_exceeded']);
        const refused = await run('a');
        assert.deepEqual([refused.status, refused.body.error], [429, 'inflight_exceeded']);
        socket.ws.close();
        await noSlots();
        assert.equal((await run('b')).status, 202);

        let release: (() => void) | undefined;
        container.once.handler = async (input) => {
          await new Promise<void>((resolve) => (release = resolve));
          return input;
        };
        const running = run('c');
        await until(() => release !== undefined);
        assert.equal((await refusal(path, capped))[0], 429);
        release?.();
        await running;
        const again = await open(path, capped);
        again.ws.close();
        await again.closed;
      } finally {
        await container.server.stop(0);
      }
    });

    it('and are refused while slots cannot be stored or counted', async () => {
      const limited = await service.tenant('limited', {
        limits: { rps: 1e6, burst: 1e6, invocationRps: 1e6, invocationBurst: 1e6, inflight: 1 },
      });
      const container = await publishStreams(limited, 'limited');
      const { knex } = service.db;
      await knex.schema.renameTable('live_sessions', 'live_sessions_away');
      try {
        const { status, body } = await refusedSocket(service.url + live, { headers: headersOf(acme) });
        const { error } = JSON.parse(body) as Record<string, string>;
        assert.deepEqual([status, error], [503, 'quota_unavailable']);
        // Without a cap there is nothing to count.
        assert.equal((await acme.get(live)).status, 426);
        const path = '/invocations/v1/nodes/limited/streams/1.0.0/Flow/live';
        const [limitedStatus, limitedBody] = await refusal(path, limited);
        assert.deepEqual([limitedStatus, limitedBody.error], [503, 'quota_unavailable']);
      } finally {
        await knex.schema.renameTable('live_sessions_away', 'live_sessions');
        await container.server.stop(0);
      }
    });

    itSlow('that is released after their process dies', async () => {
      const lost = { tenant_id: acme.tenant.id, execution_id: '0'.repeat(32), owner: 'dead' };
      await service.db.knex('live_sessions').insert(lost);
      await noSlots();
    });
  });

  describe('are refused', () => {
    it('without write scope', async () => {
      const reader = await service.tenant('reader', { scopes: ['read', 'invoke'] });
      assert.deepEqual(await refusal(live, reader), [403, { error: "forbidden: token lacks 'write' scope" }]);
    });

    for (const [what, node, status, text] of [
      ['unknown nodes', 'None', 404, /^node not found: /],
      ['generic nodes', 'Open', 400, /^node "Open" is generic/],
      [
        'unary nodes',
        'Once',
        400,
        /^node "Once" is a unary node and takes no stream: send one JSON object with POST/,
      ],
    ] as const) {
      it(`for ${what}`, async () => {
        const [answered, { error_message }] = await refusal(`${nodes}/${node}/live`);
        assert.equal(answered, status);
        assert.match(error_message ?? '', text);
        assert.equal(await slots(), 0);
      });
    }

    it('for unknown ids, unknown keys, suspended tenants, and requests without an upgrade', async () => {
      assert.equal((await refusal('/invocations/v1/nodes/01J9Z3K8Q4W5E6R7T8Y9V0B1N2/live'))[0], 404);
      assert.equal((await refusal(live, { ...acme, key: '0'.repeat(64) }))[0], 401);
      assert.equal((await acme.get(live)).status, 426);
      const halted = await service.tenant('halted');
      await updateTenantStatus(service.db.knex, halted.tenant.id, 'suspended');
      assert.deepEqual(await refusal(live, halted), [
        403,
        { error: 'tenant_suspended', message: suspendedText },
      ]);
    });

    it('when the daily invocation quota is used up', async () => {
      const poor = await service.tenant('poor', { limits: { dailyInvocations: 0 } });
      assert.deepEqual((await refusal(live, poor))[1].error, 'quota_exceeded');
      assert.equal(await slots(), 0);
    });
  });

  describeOnce('are limited', () => {
    const lineOf = (bytes: number): string => `{"text":"${'x'.repeat(bytes - 11)}"}`;
    beforeEach(() => {
      streams.handlers.set('Flow', async function* (frames) {
        for await (const { text } of frames) if (text !== '-') yield { text: `${text.length}` };
      });
    });

    itSlow('to messages of 16 MiB', async () => {
      const limit = limits.streamInput.frameBytes;
      const socket = await open();
      socket.ws.send(lineOf(limit));
      assert.deepEqual((await frameOf(socket, 0)).payload, { text: `${limit - 11}` });
      socket.ws.send(lineOf(limit + 1));
      const error = `frame 1: the input exceeds the limit of ${limit} bytes`;
      assert.equal((await frameOf(socket, 1)).error, error);
      const far = await open();
      far.ws.send(lineOf(limit + 100_000));
      assert.equal((await far.closed).code, 1009);
      await noSlots();
    }).timeout(60_000);

    itSlow('to 64 MiB of input', async () => {
      const socket = await open();
      for (let sent = 0; sent < 64; sent += 1) socket.ws.send(lineOf(1_048_576));
      assert.equal((await frameOf(socket, 63)).is_final, false);
      socket.ws.send(' ');
      const error = `frame 64: the stream exceeds the limit of ${limits.streamInput.bytes} bytes`;
      assert.equal((await frameOf(socket, 64)).error, error);
    }).timeout(60_000);

    itSlow('to 100,000 messages', async () => {
      const socket = await open();
      for (let sent = 0; sent < 99_999; sent += 1) socket.ws.send('{"text":"-"}');
      socket.ws.send('{"text":"last"}');
      assert.deepEqual((await frameOf(socket, 0)).payload, { text: '4' });
      socket.ws.send('{}');
      const last = await frameOf(socket, 1);
      assert.equal(last.error, 'frame 100000: the stream exceeds the limit of 100000 frames');
    }).timeout(180_000);

    itSlow('to 64 MiB of output', async () => {
      const text = 'x'.repeat(1_048_576 - 11);
      streams.handlers.set('Flow', async function* (frames) {
        for await (const given of frames) yield { text: given.text === 'more' ? '' : text };
      });
      const socket = await open();
      for (let sent = 0; sent < 64; sent += 1) socket.ws.send('{}');
      assert.equal((await frameOf(socket, 63)).is_final, false);
      socket.ws.send('{"text":"more"}');
      const error = `the output exceeds the limit of ${limits.liveOutputBytes} bytes`;
      assert.equal((await frameOf(socket, 64)).error, error);
      assert.equal((await socket.closed).code, 1000);
    }).timeout(60_000);
  });

  // Last: the tests share the service.
  describe('close', () => {
    it('when the service stops', async () => {
      const { signal } = watchedNode();
      const socket = await open();
      socket.ws.send('{"text":"a"}');
      await frameOf(socket, 0);
      await service.app.drain(50);
      assert.ok([1000, 1001].includes((await socket.closed).code));
      await until(() => signal()?.aborted === true);
      assert.equal(await slots(), 0);
    });
  });
});
