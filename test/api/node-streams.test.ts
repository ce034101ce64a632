import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { type Frame, openEvents } from '../support/event-stream.ts';
import { endOf, eventsOf, idOf, recordOf } from '../support/execution-records.ts';
import { itSlow } from '../support/fast-run.ts';
import { type Caller, eachService, type RunningService } from '../support/running-service.ts';
import { publishStreams, type StreamPackage } from '../support/stream-package.ts';
import { until } from '../support/until.ts';

const flow = '/invocations/v1/nodes/acme/streams/1.0.0/Flow';
const once = '/invocations/v1/nodes/acme/streams/1.0.0/Once';

eachService('streams of pipeline nodes', (start) => {
  let service: RunningService;
  let acme: Caller;
  let streams: StreamPackage;

  before(async () => {
    service = await start();
    acme = await service.tenant('acme');
    streams = await publishStreams(acme, 'acme');
  });
  beforeEach(() => streams.reset());
  after(async () => {
    await service.stop();
    await streams.server.stop(0);
  });

  const open = (
    path: string,
    body: object | string,
    headers: Record<string, string> = {},
  ): ReturnType<typeof openEvents> =>
    openEvents(service.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${acme.key}`, 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });

  it('send the frames of a node, then a final frame', async () => {
    streams.handlers.set('Flow', async function* (frames) {
      for await (const { text, number } of frames) {
        for (const word of text.split(' ')) yield { text: word, number };
      }
    });
    const stream = await open(flow, '{"text":"a b","number":"9007199254740993"}');
    assert.equal(stream.status, 200);
    assert.equal(stream.headers.get('content-type'), 'text/event-stream');
    assert.equal(stream.headers.get('cache-control'), 'no-cache, no-transform');
    assert.equal(stream.headers.get('x-accel-buffering'), 'no');
    const execution_id = idOf(stream);
    const number = '9007199254740993';
    assert.deepEqual(await stream.rest(), [
      { execution_id, frame_index: 0, payload: { text: 'a', number }, is_final: false },
      { execution_id, frame_index: 1, payload: { text: 'b', number }, is_final: false },
      { execution_id, frame_index: 2, is_final: true, success: true },
    ] satisfies Frame[]);
    const record = await recordOf(acme, execution_id);
    assert.equal(record.status, 'COMPLETED');
    assert.equal(record.node_fqn, 'acme/streams/1.0.0/Flow');
  });

  it('send the same frames by the id of the node', async () => {
    const { body } = await acme.get('/api/v1/packages/acme/streams/1.0.0');
    const { node_ulid } = body.nodes.find((node: { name: string }) => node.name === 'Flow');
    const stream = await open(`/invocations/v1/nodes/${node_ulid}`, { text: 'a' });
    const [first, last] = await stream.rest();
    assert.deepEqual([first?.payload, last?.success], [{ text: 'a' }, true]);
  });

  it('send the headers before the first frame, and each frame as it is produced', async () => {
    const waiting: (() => void)[] = [];
    streams.handlers.set('Flow', async function* () {
      for (const text of ['a', 'b']) {
        await new Promise<void>((resolve) => waiting.push(resolve));
        yield { text };
      }
    });
    const stream = await open(flow, {});
    assert.equal(stream.status, 200);
    for (const text of ['a', 'b']) {
      const frame = stream.next();
      await until(() => waiting.length > 0);
      waiting.pop()?.();
      assert.deepEqual((await frame)?.payload, { text });
    }
    assert.equal((await stream.next())?.is_final, true);
    assert.equal(await stream.next(), undefined);
  });

  it('end with the error of a failed node, after the earlier frames', async () => {
    streams.handlers.set('Flow', function* () {
      yield { text: 'a' };
      throw new Error('the tape is "torn"');
    });
    const stream = await open(flow, {});
    const frames = await stream.rest();
    assert.deepEqual(frames[1], {
      execution_id: idOf(stream),
      frame_index: 1,
      is_final: true,
      error: 'the tape is "torn"',
    });
    assert.equal((await recordOf(acme, idOf(stream))).status, 'FAILED');
    const [, , failed] = await eventsOf(
      acme,
      idOf(stream),
      '?event_type=NODE_STARTED&event_type=NODE_FRAME&event_type=NODE_FAILED',
    );
    assert.equal(failed.error, 'the tape is "torn"');
    assert.equal(failed.failure_kind, 'NODE_ERROR');
    assert.equal(failed.total_frames, 1);
  });

  it('end with an error if the container dies', async () => {
    const dying = await publishStreams(acme, 'acme', 'dying');
    dying.handlers.set('Flow', async function* () {
      yield { text: 'a' };
      await pause(30_000, undefined, { ref: false });
    });
    const stream = await open(flow.replace('streams', 'dying'), {});
    assert.deepEqual((await stream.next())?.payload, { text: 'a' });
    await dying.server.stop(0);
    const last = await stream.next();
    assert.equal(last?.is_final, true);
    assert.match(last.error ?? '', /^recv from node "Flow": /);
    const record = await recordOf(acme, idOf(stream));
    assert.equal(record.status, 'FAILED');
    const [failed] = await eventsOf(acme, idOf(stream), '?event_type=NODE_FAILED');
    assert.equal(failed.failure_kind, 'NODE_UNREACHABLE');
  });

  it('cancel the node when the client disconnects, and record it', async () => {
    let signal: AbortSignal | undefined;
    let finished = false;
    streams.handlers.set('Flow', async function* (_, context) {
      ({ signal } = context);
      try {
        for (;;) {
          yield { text: 'tick' };
          await pause(5);
        }
      } finally {
        finished = true;
      }
    });
    const stream = await open(flow, {});
    await stream.next();
    stream.leave();
    await until(() => finished);
    assert.equal(signal?.aborted, true);
    assert.equal((await endOf(acme, idOf(stream))).status, 'CANCELLED');
  });

  it('cancel the node when the client disconnects before the first frame', async () => {
    let signal: AbortSignal | undefined;
    streams.handlers.set('Flow', async function* (_, context) {
      ({ signal } = context);
      await pause(30_000, undefined, { signal: context.signal });
      yield {};
    });
    const stream = await open(flow, {});
    await until(() => signal !== undefined);
    stream.leave();
    await until(() => signal?.aborted === true);
    assert.equal((await endOf(acme, idOf(stream))).status, 'CANCELLED');
  });

  itSlow('apply backpressure to the node while the client does not read', async () => {
    let made = 0;
    const text = 'x'.repeat(65_536);
    streams.handlers.set('Flow', function* () {
      for (; made < 400; made += 1) yield { text };
    });
    const stream = await open(flow, {});
    let before = -1;
    while (before !== made) {
      before = made;
      await pause(300);
    }
    assert.ok(made < 300, `${made} of 400 frames of 64 KiB were made although none was read`);
    const frames = await stream.rest();
    assert.deepEqual([frames.length, frames.at(-1)?.success], [401, true]);
  });

  it('record their first 1,000 frames and their totals', async () => {
    streams.handlers.set('Flow', function* (_, context) {
      context.log('info', 'begun');
      for (let count = 0; count < 1_002; count += 1) yield { text: `${count}` };
    });
    const stream = await open(flow, { text: 'in' });
    assert.equal((await stream.rest()).length, 1_003);
    const frames = await eventsOf(acme, idOf(stream), '?event_type=NODE_FRAME&limit=1000');
    assert.equal(frames.length, 1_000);
    assert.deepEqual(
      [frames[0].frame_index, frames[999].frame_index, frames[1].frame_bytes],
      [0, 999, Buffer.from([0x0a, 1, 0x31]).toString('base64')],
    );
    const [decoded] = await eventsOf(acme, idOf(stream), '?event_type=NODE_FRAME&limit=1&decode=true');
    assert.deepEqual([decoded.frame, decoded.frame_bytes], [{ text: '0' }, undefined]);
    const [sent] = await eventsOf(acme, idOf(stream), '?event_type=NODE_INPUT_FRAME&decode=true');
    assert.deepEqual(sent.frame, { text: 'in' });
    const others = await eventsOf(
      acme,
      idOf(stream),
      '?event_type=NODE_STARTED&event_type=NODE_INPUT_FRAME&event_type=NODE_LOG&event_type=NODE_COMPLETED&event_type=NODE_STREAM_COMPLETE',
    );
    assert.deepEqual(
      others.map((event: { type: string }) => event.type),
      ['NODE_STARTED', 'NODE_INPUT_FRAME', 'NODE_LOG', 'NODE_STREAM_COMPLETE'],
    );
    const { input_frames, total_frames, frames_dropped } = others[3];
    assert.deepEqual(
      { input_frames, total_frames, frames_dropped },
      {
        input_frames: 1,
        total_frames: 1_002,
        frames_dropped: 2,
      },
    );
  });

  it('have a single frame for a unary node if the client accepts event streams', async () => {
    const accept = { accept: 'text/event-stream' };
    const stream = await open(once, { text: 'a' }, accept);
    const execution_id = idOf(stream);
    assert.deepEqual(await stream.rest(), [
      { execution_id, frame_index: 0, payload: { text: 'a' }, is_final: false },
      { execution_id, frame_index: 1, is_final: true, success: true },
    ]);
    for (const other of [
      '*/*',
      'text/*',
      'text/event-stream;q=0, application/json',
      'text/event-stream; Q=0.00',
    ]) {
      assert.equal((await acme.post(once, { text: 'a' }, { accept: other })).body.text, 'a', other);
    }
    assert.equal((await open(once, {}, { accept: 'application/json, Text/Event-Stream;q=0.5' })).status, 200);
    streams.once.handler = () => {
      throw new Error('no');
    };
    assert.equal((await open(once, {}, accept)).status, 422);
  });

  describe('are refused before they open', () => {
    const refusal = async (path: string, body: object | string): Promise<[number, unknown]> => {
      const { status, text } = await open(path, body);
      return [status, (JSON.parse(text) as { error_message?: string; error?: string }).error_message];
    };

    it('for an input that does not match its type', async () => {
      assert.deepEqual(await refusal(flow, { txt: 'a' }), [
        400,
        'invalid JSON for s.Text: unknown field "txt" (s.Text has text, number, kind)',
      ]);
      assert.deepEqual(await refusal(flow, { kind: 7 }), [
        400,
        'invalid value for s.Text: field kind carries enum ordinal 7, which names no declared value of enum s.Kind',
      ]);
    });

    it('for several messages in a body for one, with a hint', async () => {
      const lines = '{"text":"a"}\n{"text":"b"}\n';
      const problem =
        'invalid JSON for s.Text: Unexpected non-whitespace character after JSON at position 13 (line 2 column 1): ';
      assert.deepEqual(await refusal(flow, lines), [
        400,
        `${problem}to send several messages, use Content-Type: application/x-ndjson`,
      ]);
      assert.deepEqual(await refusal(once, lines), [
        400,
        `${problem}a unary node takes one message: send a request for each`,
      ]);
    });

    it('for a generic node', async () => {
      const [status, text] = await refusal('/invocations/v1/nodes/acme/streams/1.0.0/Open', {});
      assert.equal(status, 400);
      assert.match(String(text), /^node "Open" is generic/);
    });

    it('for an unreachable container, with a record', async () => {
      const stopped = await publishStreams(acme, 'acme', 'stopped');
      const path = flow.replace('streams', 'stopped');
      await acme.post(path, {});
      await stopped.server.stop(0);
      await pause(50);
      const { status, text, headers } = await open(path, {});
      const { error_message, message } = JSON.parse(text) as Record<string, string>;
      assert.deepEqual([status, error_message], [502, 'could not connect to node']);
      assert.match(message ?? '', /^could not connect to node "\w+" \(/);
      assert.equal((await recordOf(acme, headers.get('x-execution-id') ?? '')).status, 'FAILED');
    });

    it('when the daily quota is used up', async () => {
      const poor = await service.tenant('poor', { limits: { rps: 1e6, burst: 1e6, dailyInvocations: 1 } });
      const own = await publishStreams(poor, 'poor');
      const path = '/invocations/v1/nodes/poor/streams/1.0.0/Flow';
      assert.equal((await poor.post(path, {})).status, 200);
      assert.equal((await poor.post(path, {})).status, 429);
      await own.server.stop(0);
    });
  });

  // Last: the tests share the service.
  describe('end with an error', () => {
    itSlow('when the service stops', async () => {
      streams.handlers.set('Flow', async function* (_, context) {
        yield { text: 'a' };
        await pause(30_000, undefined, { signal: context.signal });
      });
      const stream = await open(flow, {});
      await stream.next();
      const stopping = service.app.drain(200);
      const last = await stream.next();
      assert.match(last?.error ?? '', /the service was stopped before the node answered/);
      await stopping;
    });
  });
});
