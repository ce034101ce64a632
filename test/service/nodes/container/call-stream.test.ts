import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type ContainerPool,
  createContainerPool,
} from '../../../../service/nodes/container/container-pool.ts';
import type { StreamEvent } from '../../../../service/nodes/container/call-stream.ts';
import type { StreamRequest } from '../../../../service/nodes/container/protocol.ts';
import { nodeInvocation, within } from '../../../support/node-invocation.ts';
import {
  type ScriptedStream,
  startStreamContainer,
  type StreamContainer,
} from '../../../support/stream-container.ts';
import { until } from '../../../support/until.ts';

const { context } = nodeInvocation('Node', new Uint8Array());

describe('the stream of a pipeline node', () => {
  let pool: ContainerPool;
  let container: StreamContainer | undefined;
  beforeEach(() => {
    pool = createContainerPool({ allowedHosts: [{ host: '127.0.0.1' }] });
  });
  afterEach(() => {
    pool.close();
    container?.kill();
  });

  const eventsOf = async (
    answer: (stream: ScriptedStream) => void,
    timeoutMs = 5_000,
  ): Promise<StreamEvent[]> => {
    container = await startStreamContainer(answer);
    const stream = await pool.stream(container.endpoint, context, within(timeoutMs));
    assert.ok('next' in stream);
    const events: StreamEvent[] = [];
    for (;;) {
      const event = await stream.next();
      events.push(event);
      if (event.kind !== 'frame') return events;
    }
  };
  const lastMessage = (events: StreamEvent[]): string | undefined => {
    const last = events.at(-1);
    return last?.kind === 'unreachable' ? last.message : undefined;
  };

  it('starts with the context, and ends the input once', async () => {
    const kinds: (string | undefined)[] = [];
    const events = await eventsOf(({ call, say }) => {
      call.on('data', ({ kind }: StreamRequest) => {
        kinds.push(kind.case === 'start' ? kind.value.node : kind.case);
        say({ case: 'done', value: {} });
        call.end();
      });
    });
    assert.deepEqual(kinds, ['Node']);
    assert.deepEqual(events, [{ kind: 'done' }]);
  });

  for (const [title, answer, message] of [
    [
      'an empty message',
      ({ sayBytes }) => sayBytes(new Uint8Array()),
      'calling node: the container sent an empty message',
    ],
    [
      'an output',
      ({ say }) => say({ case: 'output', value: new Uint8Array() }),
      'calling node: the container answered a stream with output, which only unary nodes send',
    ],
    [
      'a pause',
      ({ say }) => say({ case: 'pause', value: {} }),
      'calling node: the container answered a stream with pause, which only unary nodes send',
    ],
    [
      'no end',
      ({ call }) => call.end(),
      'calling node: the container ended the stream without done or error',
    ],
  ] satisfies [string, (stream: ScriptedStream) => void, string][]) {
    it(`fails on ${title} after delivering earlier frames`, async () => {
      const events = await eventsOf((stream) => {
        stream.say({ case: 'frame', value: Uint8Array.of(1) });
        answer(stream);
      });
      assert.deepEqual(events[0], { kind: 'frame', bytes: Uint8Array.of(1) });
      assert.equal(lastMessage(events), message);
    });
  }

  for (const [title, answer] of [
    ['sends frames after the end', ({ say }) => say({ case: 'frame', value: Uint8Array.of(1) })],
    ['leaves the call open after the end', () => undefined],
  ] satisfies [string, (stream: ScriptedStream) => void][]) {
    for (const kind of [
      { case: 'done', value: {} },
      { case: 'error', value: { message: 'broken' } },
    ] as const) {
      it(`cancels the call if the container ${title} (${kind.case})`, async () => {
        let cancelled = false;
        const events = await eventsOf((stream) => {
          stream.call.on('cancelled', () => (cancelled = true));
          stream.say(kind as never);
          answer(stream);
        }, 600_000);
        assert.equal(events.length, 1);
        assert.equal(events[0]?.kind, kind.case === 'done' ? 'done' : 'failure');
        await until(() => cancelled);
      });
    }
  }

  it('gives the container time to finish its call after the end', async () => {
    const ended = Promise.withResolvers<boolean>();
    const events = await eventsOf(({ call, say }) => {
      say({ case: 'done', value: {} });
      setTimeout(() => {
        ended.resolve(call.cancelled);
        call.end();
      }, 300);
    });
    assert.deepEqual(events, [{ kind: 'done' }]);
    assert.equal(await ended.promise, false);
  });

  it('fails on bytes that are not a message', async () => {
    const events = await eventsOf(({ sayBytes }) => sayBytes(Uint8Array.of(0xff)));
    assert.match(lastMessage(events) ?? '', /^calling node: INTERNAL: Response message parsing error: /);
  });

  it('fails to open if the container is unreachable', async () => {
    container = await startStreamContainer(() => undefined);
    container.kill();
    const stream = await pool.stream(container.endpoint, context, within(5_000));
    const outcome = 'next' in stream ? await stream.next() : stream;
    assert.equal(outcome.kind === 'unreachable' && outcome.message, 'could not connect to node');
  });

  it('fails to open for an aborted caller, a host that is not allowed, or a closed pool', async () => {
    container = await startStreamContainer(() => undefined);
    const { endpoint } = container;
    const causeOf = async (to: string, signal?: AbortSignal): Promise<unknown> => {
      const opened = await pool.stream(to, context, { ...within(5_000), ...(signal && { signal }) });
      return 'next' in opened ? 'open' : opened.cause;
    };
    assert.equal(await causeOf(endpoint, AbortSignal.abort()), 'cancelled');
    assert.equal(await causeOf('grpc://example.org:1'), 'connect');
    pool.close();
    assert.equal(await causeOf(endpoint), 'call');
  });

  it('sends the token of the deployment', async () => {
    let authorization: unknown;
    container = await startStreamContainer(({ call, say }) => {
      [authorization] = call.metadata.get('authorization');
      say({ case: 'done', value: {} });
      call.end();
    });
    const token = 'a-token-of-the-deployment';
    const stream = await pool.stream(container.endpoint, context, { ...within(5_000), token });
    assert.ok('next' in stream);
    await stream.next();
    assert.equal(authorization, `Bearer ${token}`);
  });

  it('applies backpressure to small frames that the container does not read', async () => {
    let opened: ScriptedStream | undefined;
    container = await startStreamContainer((stream) => {
      opened = stream;
    });
    const stream = await pool.stream(container.endpoint, context, within(30_000));
    assert.ok('next' in stream);
    const frames = 50_000;
    let sent = 0;
    const feeding = (async () => {
      for (; sent < frames; sent += 1) await stream.send(Buffer.from('x'));
      stream.endInput();
    })();
    // Less than 64 KiB of frames, which is how much HTTP/2 sends to a container that does not read.
    await until(() => sent > 1_000);
    for (let before = -1; before !== sent;) {
      before = sent;
      await delay(300);
    }
    assert.ok(sent < 15_000, `${sent} frames were taken`);

    let read = 0;
    const { call, say } = opened!;
    call.on('data', ({ kind }: StreamRequest) => {
      if (kind.case === 'frame') read += 1;
    });
    call.on('end', () => {
      say({ case: 'done', value: {} });
      call.end();
    });
    assert.deepEqual(await stream.next(), { kind: 'done' });
    await feeding;
    assert.deepEqual([sent, read], [frames, frames]);
  });

  it('accepts frames after its end, and reports that they are not sent', async () => {
    container = await startStreamContainer(({ call, say }) => {
      say({ case: 'done', value: {} });
      call.end();
    });
    const stream = await pool.stream(container.endpoint, context, within(5_000));
    assert.ok('next' in stream);
    assert.deepEqual(await stream.next(), { kind: 'done' });
    assert.equal(await stream.send(Buffer.from('late')), false);
  });
});
