import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { type EventStream, type Frame, openEvents } from '../support/event-stream.ts';
import { endOf, eventsOf, idOf, recordOf } from '../support/execution-records.ts';
import { eventually } from '../support/eventually.ts';
import { itSlow } from '../support/fast-run.ts';
import { type Caller, eachService, type RunningService } from '../support/running-service.ts';
import { publishStreams, type StreamPackage } from '../support/stream-package.ts';
import { until } from '../support/until.ts';

const path = '/invocations/v1/flows/invoke/stream';

const place = (id: string, node: string, more: object = {}): object => ({
  id,
  package: 'acme/streams',
  node_name: node,
  ...more,
});

/** From `a`, a pipeline node, to `b`, another one. */
const chain = {
  name: 'chain',
  mode: 'pipeline',
  entry: 'a',
  terminal: 'b',
  nodes: [place('a', 'Flow'), place('b', 'Other')],
  edges: [{ id: 'ab', from: 'a', to: 'b' }],
};

/** Splits its frame into words. */
async function* split(frames: AsyncIterable<{ text: string }>) {
  for await (const { text } of frames) for (const word of text.split(' ')) yield { text: word };
}

eachService('streams of pipeline flows', (start) => {
  let service: RunningService;
  let acme: Caller;
  let streams: StreamPackage;

  before(async () => {
    service = await start();
    acme = await service.tenant('acme');
    streams = await publishStreams(acme, 'acme');
  });
  beforeEach(() => {
    streams.reset();
    streams.handlers.set('Flow', split);
  });
  after(async () => {
    await service.stop();
    await streams.server.stop(0);
  });

  const compile = async (document: object): Promise<string> => {
    const { status, body } = await acme.post('/api/v1/graphs/compile', document);
    assert.ok(status <= 201, JSON.stringify(body));
    return body.graph_id;
  };
  const open = async (
    document: object,
    body: object = {},
    caller: Caller = acme,
  ): ReturnType<typeof openEvents> =>
    openEvents(service.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${caller.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ graph_id: await compile(document), input: { text: 'a b' }, ...body }),
    });
  const textsOf = (frames: Frame[]): unknown[] => frames.slice(0, -1).map(({ payload }) => payload.text);

  it('continue when the system clock is set forward', async () => {
    let ahead = 0;
    const jumping = await start({ clock: { now: () => Date.now() + ahead } });
    const caller = await jumping.tenant('jumping');
    const { handlers, server } = await publishStreams(caller, 'jumping');
    try {
      handlers.set('Flow', async function* () {
        yield { text: 'a' };
        ahead = 3_600_000;
        await pause(0);
        yield { text: 'b' };
      });
      const placed = (id: string, node: string) => ({ ...place(id, node), package: 'jumping/streams' });
      const { body } = await caller.post('/api/v1/graphs/compile', {
        ...chain,
        nodes: [placed('a', 'Flow'), placed('b', 'Once')],
      });
      const stream = await openEvents(jumping.url + path, {
        method: 'POST',
        headers: { authorization: `Bearer ${caller.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ graph_id: body.graph_id, input: { text: 'x' } }),
      });
      const frames = await stream.rest();
      assert.deepEqual(textsOf(frames), ['a', 'b']);
      assert.equal(frames.at(-1)?.error, undefined);
    } finally {
      await jumping.stop();
      await server.stop(0);
    }
  });

  it('send the frames of the terminal node and record the run', async () => {
    const document = { ...chain, name: 'recorded' };
    const stream = await open(document);
    assert.equal(stream.status, 200);
    assert.equal(stream.headers.get('content-type'), 'text/event-stream');
    const execution_id = idOf(stream);
    assert.deepEqual(await stream.rest(), [
      { execution_id, frame_index: 0, payload: { text: 'a' }, is_final: false },
      { execution_id, frame_index: 1, payload: { text: 'b' }, is_final: false },
      { execution_id, frame_index: 2, is_final: true, success: true },
    ] satisfies Frame[]);
    const record = await recordOf(acme, execution_id);
    const graphId = await compile(document);
    assert.deepEqual([record.status, record.graph_id], ['COMPLETED', graphId]);
    const { executions } = (await acme.get(`/invocations/v1/executions?graph_id=${graphId}`)).body;
    assert.deepEqual(
      executions.map((one: { execution_id: string }) => one.execution_id),
      [execution_id],
    );
    const events = await eventsOf(acme, execution_id, '?decode=true');
    const of = (node: string): unknown[] =>
      events
        .filter((event: { node_id?: string }) => event.node_id === node)
        .map((event: { type: string; frame?: { text?: string } }) =>
          event.frame ? `${event.type} ${event.frame.text}` : event.type,
        );
    assert.deepEqual(
      of('a').filter((type) => type !== 'EDGE_EVALUATED'),
      ['NODE_STARTED', 'NODE_INPUT_FRAME a b', 'NODE_FRAME a', 'NODE_FRAME b', 'NODE_STREAM_COMPLETE'],
    );
    assert.equal(of('a').filter((type) => type === 'EDGE_EVALUATED').length, 2);
    assert.equal(events.at(-1).type, 'FLOW_COMPLETED');
    const complete = events.find(
      (event: { type: string; node_id: string }) =>
        event.type === 'NODE_STREAM_COMPLETE' && event.node_id === 'a',
    );
    assert.deepEqual([complete.input_frames, complete.total_frames, complete.frames_dropped], [1, 2, 0]);
    const ulids = events.map((event: { event_ulid: string }) => event.event_ulid);
    assert.deepEqual(ulids, [...new Set(ulids)].sort());
  });

  it('apply conditions and adapters to each frame', async () => {
    const document = {
      ...chain,
      edges: [
        { id: 'ab', from: 'a', to: 'b', condition: 'text != "b"', adapter: { text: 'text | suffix("!")' } },
      ],
    };
    const frames = await (await open(document, { input: { text: 'a b c' } })).rest();
    assert.deepEqual(textsOf(frames), ['a!', 'c!']);
  });

  it('send each frame to every passing edge and merge the frames of several edges', async () => {
    const document = {
      ...chain,
      nodes: [...chain.nodes, place('c', 'Once'), place('d', 'Once')],
      edges: [
        { from: 'a', to: 'c', adapter: { text: 'text | prefix("c")' } },
        { from: 'a', to: 'd', adapter: { text: 'text | prefix("d")' } },
        { from: 'c', to: 'b' },
        { from: 'd', to: 'b' },
      ],
    };
    const frames = await (await open(document)).rest();
    assert.deepEqual(textsOf(frames).sort(), ['ca', 'cb', 'da', 'db']);
    assert.equal(frames.at(-1)?.success, true);
  });

  it('call unary nodes once for each frame, each with its own idempotency id', async () => {
    const ids: string[] = [];
    streams.once.handler = ({ text }, context) => {
      ids.push(context.idempotencyId);
      return { text: text.toUpperCase() };
    };
    const document = { ...chain, nodes: [place('a', 'Flow'), place('b', 'Once')] };
    const stream = await open(document);
    assert.deepEqual(textsOf(await stream.rest()), ['A', 'B']);
    assert.deepEqual(ids, [`${idOf(stream)}:1:0`, `${idOf(stream)}:1:1`]);
  });

  it('forward each frame before the next one is produced', async () => {
    const waiting: (() => void)[] = [];
    streams.handlers.set('Flow', async function* () {
      for (const text of ['a', 'b']) {
        await new Promise<void>((resolve) => waiting.push(resolve));
        yield { text };
      }
    });
    const stream = await open(chain);
    for (const text of ['a', 'b']) {
      const frame = stream.next();
      await until(() => waiting.length > 0);
      waiting.pop()?.();
      assert.deepEqual((await frame)?.payload, { text });
    }
    assert.equal((await stream.next())?.success, true);
  });

  itSlow('apply backpressure to the first node while the client does not read', async () => {
    let made = 0;
    const text = 'x'.repeat(65_536);
    streams.handlers.set('Flow', function* () {
      for (; made < 400; made += 1) yield { text };
    });
    const stream = await open(chain, { timeout_seconds: 300 });
    let before = -1;
    while (before !== made) {
      before = made;
      await pause(300);
    }
    assert.ok(made < 300, `${made} of 400 frames of 64 KiB were made although none was read`);
    const frames = await stream.rest();
    assert.equal(frames.at(-1)?.success, true, JSON.stringify(frames.at(-1)));
    assert.equal(frames.length, 401);
  });

  it('send the frames of mocks', async () => {
    const mock = { frames: [{ text: 'x' }, { text: 'y' }] };
    const document = { ...chain, nodes: [place('a', 'Flow', { mock }), place('b', 'Other')] };
    const stream = await open(document);
    assert.deepEqual(textsOf(await stream.rest()), ['x', 'y']);
    const [complete] = await eventsOf(acme, idOf(stream), '?event_type=NODE_STREAM_COMPLETE&node_name=a');
    assert.equal(complete.mocked, true);
  });

  describe('end with an error', () => {
    const failed = async (stream: EventStream): Promise<string | undefined> => {
      const last = (await stream.rest()).at(-1);
      assert.deepEqual([last?.is_final, last?.success], [true, undefined]);
      const record = await recordOf(acme, idOf(stream));
      assert.equal(record.status, 'FAILED');
      const [event] = await eventsOf(acme, idOf(stream), '?event_type=FLOW_FAILED');
      assert.equal(event.error, last?.error);
      return last?.error;
    };

    it('if a node fails, with its exact message after the earlier frames', async () => {
      streams.handlers.set('Other', async function* (frames) {
        for await (const { text } of frames) {
          if (text === 'b') throw new Error('no b');
          yield { text };
        }
      });
      const stream = await open(chain);
      assert.deepEqual((await stream.next())?.payload, { text: 'a' });
      assert.equal(await failed(stream), 'no b');
      const [event] = await eventsOf(acme, idOf(stream), '?event_type=NODE_FAILED');
      assert.deepEqual([event.node_id, event.failure_kind], ['b', 'NODE_ERROR']);
    });

    it('with what the node had received, sent and dropped until it failed', async () => {
      streams.handlers.set('Other', async function* (frames, context) {
        for await (const { text } of frames) {
          for (let count = 0; count < 100; count += 1) context.progress('count', { count });
          if (text === 'b') throw new Error('no b');
          yield { text };
        }
      });
      const stream = await open(chain);
      await failed(stream);
      const [event] = await eventsOf(acme, idOf(stream), '?event_type=NODE_FAILED');
      assert.deepEqual([event.input_frames, event.total_frames, event.frames_dropped], [2, 1, 0]);
      assert.ok(event.progress_dropped >= 100, `${event.progress_dropped} progress frames were dropped`);
    });

    it('if an adapter fails on a frame', async () => {
      const adapter = { number: 'text | cast("int")' };
      const document = { ...chain, edges: [{ id: 'ab', from: 'a', to: 'b', adapter }] };
      const stream = await open(document, { input: { text: 'x' } });
      assert.match((await failed(stream)) ?? '', /^edge "a" → "b": EvaluateEdge adapter: /);
    });

    it('if a container dies', async () => {
      const dying = await publishStreams(acme, 'acme', 'dying');
      dying.handlers.set('Flow', split);
      dying.handlers.set('Other', async function* (frames) {
        for await (const frame of frames) yield frame;
        await pause(30_000, undefined, { ref: false });
      });
      const placed = (id: string, node: string) => place(id, node, { package: 'acme/dying' });
      const stream = await open({ ...chain, nodes: [placed('a', 'Flow'), placed('b', 'Other')] });
      await stream.next();
      await stream.next();
      await dying.server.stop(0);
      assert.match((await failed(stream)) ?? '', /^recv from node "[ab]": /);
    });

    describe('if the container cannot be reached', () => {
      const absent = { package: 'acme/absent' };
      const mock = { frames: [{ text: 'a' }] };
      const first = { ...chain, nodes: [place('a', 'Flow', absent), place('b', 'Other')] };
      const second = { ...chain, nodes: [place('a', 'Flow', { mock }), place('b', 'Once', absent)] };
      before(async () => {
        const { server } = await publishStreams(acme, 'acme', 'absent');
        // The flows are compiled while the container is reachable.
        for (const document of [first, second]) await compile(document);
        await server.stop(0);
        await acme.put('/api/v1/packages/acme/absent/1.0.0/deployment', { endpoint: 'grpc://127.0.0.1:1' });
      });

      it('for a pipeline node', async () => {
        assert.equal(
          await failed(await open(first)),
          'open pipeline stream for node "a": ' +
            'could not connect to node "a" (Flow of acme/absent@1.0.0 at grpc://127.0.0.1:1)',
        );
      });

      it('for a unary node', async () => {
        assert.equal(
          await failed(await open(second)),
          'could not connect to node "b" (Once of acme/absent@1.0.0 at grpc://127.0.0.1:1)',
        );
      });
    });

    itSlow('if it times out', async () => {
      streams.handlers.set('Other', async function* (frames, context) {
        for await (const frame of frames) yield frame;
        await pause(30_000, undefined, { signal: context.signal });
      });
      const stream = await open(chain, { timeout_seconds: 1 });
      assert.equal(await failed(stream), 'timeout waiting for pipeline result');
    });

    it('if no frame reaches the terminal node', async () => {
      const document = { ...chain, edges: [{ id: 'ab', from: 'a', to: 'b', condition: 'text == "z"' }] };
      assert.equal(await failed(await open(document)), 'graph produced no terminal result');
    });

    it('if the input does not match the entry', async () => {
      const error = await failed(await open(chain, { input: { txt: 'a' } }));
      assert.match(error ?? '', /^invalid JSON for s\.Text: unknown field "txt"/);
    });
  });

  it('are empty if the terminal node produces no frame', async () => {
    streams.handlers.set('Other', async function* (frames) {
      for await (const frame of frames) if (frame.text === 'z') yield frame;
    });
    const frames = await (await open(chain)).rest();
    assert.deepEqual(
      frames.map(({ is_final, success }) => [is_final, success]),
      [[true, true]],
    );
  });

  itSlow('fail when another replica takes over', async () => {
    streams.handlers.set('Flow', async function* (frames, context) {
      for await (const frame of frames) yield frame;
      await pause(30_000, undefined, { signal: context.signal });
    });
    const stream = await open(chain);
    await stream.next();
    // Simulates a process that died a while ago.
    await service.db
      .knex('executions')
      .where({ id: idOf(stream) })
      .update({ owner: '', wake_at: 0 });
    assert.equal((await stream.next())?.error, 'the stream was taken over by another replica');
    assert.equal((await endOf(acme, idOf(stream))).status, 'FAILED');
    const [event] = await eventsOf(acme, idOf(stream), '?event_type=FLOW_FAILED');
    assert.equal(event.error, 'the process that ran the stream has stopped: streams are not resumed');
  });

  describe('whose execution another replica has taken over', () => {
    let finish: (() => void) | undefined;
    let stream: EventStream;
    beforeEach(async () => {
      finish = undefined;
      streams.handlers.set('Flow', async function* (frames, context) {
        for await (const frame of frames) yield frame;
        const { promise, resolve } = Promise.withResolvers<undefined>();
        finish = () => resolve(undefined);
        context.signal.addEventListener('abort', finish);
        await promise;
      });
      stream = await open(chain);
      const execution_id = idOf(stream);
      await stream.next();
      await until(() => finish !== undefined);
      // The first events are committed, so that the end of the run is the first write that meets the other replica's row.
      const frames = '?event_type=NODE_FRAME&node_name=b';
      await eventually(async () =>
        (await eventsOf(acme, execution_id, frames)).length > 0 ? true : undefined,
      );
      const journal = service.db.knex('journal').where({ execution_id });
      const row = (await journal.orderBy('seq', 'desc').first()) as { seq: number };
      await service.db.knex('journal').insert({ ...row, seq: row.seq + 1 });
    });

    afterEach(() => stream.leave());

    it('do not report success', async () => {
      finish?.();
      const last = await stream.next();
      assert.deepEqual(
        [last?.success, last?.error],
        [undefined, 'the stream was taken over by another replica'],
      );
    });

    it('cannot be forked', async () => {
      const { status, body } = await acme.post(`/invocations/v1/executions/${idOf(stream)}/fork`, {});
      assert.deepEqual([status, body.error], [409, 'EXECUTION_NOT_FORKABLE']);
      assert.match(body.message as string, /mode pipeline/);
    });

    it('are cancelled on request', async () => {
      const { status, body } = await acme.post(`/invocations/v1/executions/${idOf(stream)}/cancel`);
      assert.deepEqual([status, body.status], [200, 'CANCELLED']);
    });
  });

  describe('are cancelled with all their nodes', () => {
    let signals: AbortSignal[];
    beforeEach(() => {
      signals = [];
      for (const name of ['Flow', 'Other']) {
        streams.handlers.set(name, async function* (frames, context) {
          signals.push(context.signal);
          for await (const frame of frames) yield frame;
          await pause(30_000, undefined, { signal: context.signal });
        });
      }
    });

    it('when the client disconnects', async () => {
      const stream = await open(chain);
      await stream.next();
      stream.leave();
      await until(() => signals.length === 2 && signals.every(({ aborted }) => aborted));
      assert.equal((await endOf(acme, idOf(stream))).status, 'CANCELLED');
    });

    it('when the execution is cancelled', async () => {
      const stream = await open(chain);
      await stream.next();
      const { status, body } = await acme.post(`/invocations/v1/executions/${idOf(stream)}/cancel`);
      assert.deepEqual([status, body.status], [200, 'CANCELLED']);
      assert.deepEqual((await stream.rest()).at(-1)?.error, 'execution cancelled');
      await until(() => signals.every(({ aborted }) => aborted));
    });
  });

  describe('are refused', () => {
    const refusal = async (stream: ReturnType<typeof openEvents>): Promise<[number, unknown]> => {
      const { status, text } = await stream;
      return [status, JSON.parse(text)];
    };

    it('for a unary flow, like plain invocations of a pipeline flow', async () => {
      const unary = { ...chain, mode: 'unary', nodes: [place('a', 'Once')], edges: [], terminal: 'a' };
      assert.deepEqual(await refusal(open(unary)), [
        400,
        {
          error: 'invalid_argument',
          message: 'the flow has mode unary: invoke it with POST /invocations/v1/flows/invoke',
          mode: 'unary',
        },
      ]);
      const answer = await acme.post('/invocations/v1/flows/invoke', {
        graph_id: await compile(chain),
        input: {},
      });
      assert.deepEqual(
        [answer.status, answer.body.message, answer.body.mode],
        [
          400,
          'the flow has mode pipeline: invoke it with POST /invocations/v1/flows/invoke/stream',
          'pipeline',
        ],
      );
    });

    it('for an unknown flow', async () => {
      assert.deepEqual(await refusal(open(chain, { graph_id: 'g_unknown' })), [
        404,
        { error: 'not_found', message: 'flow not found' },
      ]);
    });

    it('when a daily quota is used up', async () => {
      const limits = { rps: 1e6, burst: 1e6, invocationRps: 1e6, invocationBurst: 1e6, dailyExecutions: 1 };
      const poor = await service.tenant('poor', { limits });
      const own = await publishStreams(poor, 'poor');
      const document = JSON.parse(JSON.stringify(chain).replaceAll('acme/', 'poor/')) as object;
      const { graph_id } = (await poor.post('/api/v1/graphs/compile', document)).body;
      await (await open(chain, { graph_id }, poor)).rest();
      const [status, body] = await refusal(open(chain, { graph_id }, poor));
      assert.equal(status, 429);
      assert.equal((body as { message: string }).message, 'daily executions quota exceeded (cap 1)');
      await own.server.stop(0);
    });

    it('above the limit of open executions, until a stream ends', async () => {
      const limits = { rps: 1e6, burst: 1e6, invocationRps: 1e6, invocationBurst: 1e6, inflight: 1 };
      const busy = await service.tenant('busy', { limits });
      const own = await publishStreams(busy, 'busy');
      own.handlers.set('Flow', async function* (frames, context) {
        for await (const frame of frames) yield frame;
        await pause(30_000, undefined, { signal: context.signal });
      });
      const document = JSON.parse(JSON.stringify(chain).replaceAll('acme/', 'busy/')) as object;
      const { graph_id } = (await busy.post('/api/v1/graphs/compile', document)).body;
      const first = await open(chain, { graph_id }, busy);
      await first.next();
      assert.equal((await refusal(open(chain, { graph_id }, busy)))[0], 429);
      first.leave();
      await until(() => true);
      for (;;) {
        const again = await open(chain, { graph_id }, busy);
        again.leave();
        if (again.status === 200) break;
        await pause(20);
      }
      await own.server.stop(0);
    });

    it('at compile time with joins or loops', async () => {
      const looped = {
        ...chain,
        nodes: [place('a', 'Flow'), place('b', 'Other', { join: { policy: 'any' } })],
        edges: [
          { from: 'a', to: 'b' },
          { from: 'b', to: 'a' },
        ],
      };
      const { status, body } = await acme.post('/api/v1/graphs/compile', looped);
      assert.equal(status, 400);
      assert.deepEqual(
        body.diagnostics.map(({ code, node }: { code: string; node: string }) => `${code} ${node}`),
        ['loop_of_streams a', 'join_of_streams b', 'loop_of_streams b'],
      );
    });
  });

  it('are available to app keys on their own flows only', async () => {
    const graph_id = await compile(chain);
    const other = await compile({ ...chain, name: 'other' });
    const { body } = await acme.post('/api/v1/api-keys', { name: 'browser', graph_ids: [graph_id] });
    const app = service.withKey(acme.tenant, body.key);
    const frames = await (await open(chain, { graph_id }, app)).rest();
    assert.deepEqual(textsOf(frames), ['a', 'b']);
    assert.equal((await open(chain, { graph_id: other }, app)).status, 403);
  });

  // Last: the tests share the service.
  describe('end with an error', () => {
    itSlow('if the service stops', async () => {
      streams.handlers.set('Flow', async function* (_, context) {
        yield { text: 'a' };
        await pause(30_000, undefined, { signal: context.signal });
      });
      const stream = await open(chain);
      await stream.next();
      const stopping = service.app.drain(200);
      assert.equal((await stream.next())?.error, 'the service was stopped before the stream ended');
      await stopping;
    });
  });
});
