import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { fromBinary } from '@bufbuild/protobuf';
import { compileProtos } from '../../../../service/messages/compile/compile-protos.ts';
import { bytesFromJson } from '../../../../service/messages/json/message-from-json.ts';
import { createRegistry } from '../../../../service/messages/registry.ts';
import type { NodeStream } from '../../../../service/nodes/container/call-stream.ts';
import {
  type ContainerPool,
  createContainerPool,
  type InvokeOptions,
} from '../../../../service/nodes/container/container-pool.ts';
import type { StreamOutcome } from '../../../../service/nodes/container/invoke-outcome.ts';
import type { HostedPackage } from '../../../../service/nodes/serve/load-package.ts';
import type { NodeContext } from '../../../../service/nodes/serve/node-handlers.ts';
import { type NodeServer, servePackage } from '../../../../service/nodes/serve/serve-package.ts';
import { itSlow } from '../../../support/fast-run.ts';
import { nodeInvocation, within } from '../../../support/node-invocation.ts';
import { until } from '../../../support/until.ts';

interface Text {
  text: string;
}

type Handler = (frames: AsyncIterable<Text>, context: NodeContext) => unknown;

const proto = 'syntax = "proto3"; package t; message Text { string text = 1; }';
const kibibyte = 'x'.repeat(1024);

async function* upperCase(frames: AsyncIterable<Text>) {
  for await (const { text } of frames) yield { text: text.toUpperCase() };
}

describe('pipeline handlers in a node container', () => {
  const registryOf = compileProtos({ 't.proto': proto }).then(createRegistry);
  const reported: string[] = [];
  let pool: ContainerPool;
  let server: NodeServer | undefined;

  before(() => {
    pool = createContainerPool({ allowedHosts: [{ host: '127.0.0.1' }] });
  });
  after(() => pool.close());
  afterEach(async () => {
    await server?.stop(0);
    server = undefined;
    reported.length = 0;
  });

  const serve = async (handler: Handler, mode: 'unary' | 'pipeline' = 'pipeline'): Promise<void> => {
    const declaration = {
      name: 'Node',
      input: 't.Text',
      output: 't.Text',
      mode,
      kind: 'standard' as const,
      generic: [],
      description: '',
      required_secrets: [],
    };
    const hosted: HostedPackage = {
      name: 'acme/t',
      version: '1.0.0',
      registry: await registryOf,
      nodes: new Map([['Node', { declaration, handler }]]),
    };
    server = await servePackage(hosted, { port: 0, report: (text) => reported.push(text) });
  };
  const frame = async (text: string): Promise<Uint8Array> => {
    const bytes = bytesFromJson(await registryOf, 't.Text', JSON.stringify({ text }));
    assert.ok(bytes.ok);
    return bytes.value;
  };
  const open = async (
    options: Partial<InvokeOptions & { onEnd: (outcome: StreamOutcome) => void }> = {},
    node = 'Node',
  ): Promise<NodeStream> => {
    const { context } = nodeInvocation(node, new Uint8Array());
    const stream = await pool.stream(server?.endpoint ?? '', context, { ...within(30_000), ...options });
    assert.ok('next' in stream, JSON.stringify(stream));
    return stream;
  };
  /** Returns the texts of all frames that follow, and how the stream ended. */
  const rest = async (stream: NodeStream): Promise<{ texts: string[]; end: StreamOutcome }> => {
    const type = (await registryOf).getMessage('t.Text')!;
    const texts: string[] = [];
    for (;;) {
      const event = await stream.next();
      if (event.kind !== 'frame') return { texts, end: event };
      texts.push((fromBinary(type, event.bytes) as unknown as Text).text);
    }
  };

  it('respond to each frame before the next one is sent', async () => {
    await serve(upperCase);
    const stream = await open();
    for (const text of ['a', 'b']) {
      assert.equal(await stream.send(await frame(text)), true);
      const event = await stream.next();
      assert.deepEqual(event, { kind: 'frame', bytes: await frame(text.toUpperCase()) });
    }
    stream.endInput();
    assert.deepEqual(await rest(stream), { texts: [], end: { kind: 'done' } });
    assert.equal(await stream.send(await frame('late')), false);
  });

  it('receive empty frames', async () => {
    await serve(async function* (frames) {
      for await (const { text } of frames) yield { text: `<${text}>` };
    });
    const stream = await open();
    await stream.send(new Uint8Array());
    stream.endInput();
    assert.deepEqual((await rest(stream)).texts, ['<>']);
  });

  it('may end before the input ends', async () => {
    await serve(async function* (frames) {
      for await (const { text } of frames) {
        yield { text };
        return;
      }
    });
    const stream = await open();
    await stream.send(await frame('a'));
    await stream.send(await frame('b'));
    assert.deepEqual(await rest(stream), { texts: ['a'], end: { kind: 'done' } });
  });

  itSlow('pause while the caller does not read, and resume with it', async () => {
    let made = 0;
    const total = 10_000;
    await serve(function* () {
      for (made = 0; made < total; made += 1) yield { text: kibibyte };
    });
    const stream = await open();
    await stream.next();
    let before = -1;
    while (before !== made) {
      before = made;
      await pause(100);
    }
    assert.ok(made < 2_000, `${made} frames of 1 KiB were made while one was read`);
    const { texts, end } = await rest(stream);
    assert.equal(texts.length, total - 1);
    assert.equal(end.kind, 'done');
  });

  itSlow('block the sender while they do not read', async () => {
    let read: () => void = () => undefined;
    const reading = new Promise<void>((resolve) => (read = resolve));
    await serve(async function* (frames) {
      await reading;
      for await (const { text } of frames) if (text === '') yield { text: 'end' };
    });
    const stream = await open();
    const bytes = await frame(kibibyte.repeat(64));
    let sent = 0;
    const total = 200;
    const sending = (async () => {
      for (; sent < total; sent += 1) await stream.send(bytes);
      await stream.send(new Uint8Array());
      stream.endInput();
    })();
    await pause(500);
    assert.ok(sent < 100, `${sent} frames of 64 KiB were sent to a handler that reads none`);
    read();
    await sending;
    assert.deepEqual((await rest(stream)).texts, ['end']);
  });

  it('fail with the thrown message after delivering earlier frames', async () => {
    await serve(function* () {
      yield { text: 'a' };
      throw new Error('the tape is torn');
    });
    assert.deepEqual(await rest(await open()), {
      texts: ['a'],
      end: { kind: 'failure', message: 'the tape is torn', retryable: true, payloadJson: '' },
    });
    assert.match(reported.join(), /^Node failed: Error: the tape is torn\n/);
  });

  it('fail on an invalid output message', async () => {
    await serve(function* () {
      yield { txt: 'a' };
    });
    const { end } = await rest(await open());
    assert.equal(
      end.kind === 'failure' && end.message,
      'Node returned an invalid t.Text: t.Text has no field "txt"',
    );
  });

  it('fail if they are not generators', async () => {
    await serve(() => ({ text: 'a' }));
    const { end } = await rest(await open());
    assert.match((end as { message: string }).message, /Node is a pipeline node: its handler must be/);
  });

  it('send logs between their frames', async () => {
    const logged: string[] = [];
    await serve(function* (_, context) {
      context.log('info', 'before');
      yield { text: 'a' };
      context.log('info', 'after');
    });
    const stream = await open({ listener: { onLog: ({ message }) => logged.push(message) } });
    assert.equal((await stream.next()).kind, 'frame');
    assert.deepEqual(logged, ['before']);
    await rest(stream);
    assert.deepEqual(logged, ['before', 'after']);
  });

  describe('end', () => {
    let signal: AbortSignal | undefined;
    let finished = false;
    const endless: Handler = async function* (_, context) {
      signal = context.signal;
      finished = false;
      try {
        for (;;) {
          yield { text: 'tick' };
          await pause(5);
        }
      } finally {
        finished = true;
      }
    };

    it('when the caller cancels', async () => {
      await serve(endless);
      const ended: StreamOutcome[] = [];
      const stream = await open({ onEnd: (outcome) => ended.push(outcome) });
      await stream.next();
      stream.cancel();
      const { end } = await rest(stream);
      assert.equal(end.kind === 'unreachable' && end.cause, 'cancelled');
      await until(() => finished);
      assert.equal(signal?.aborted, true);
      assert.deepEqual(ended, [end]);
      assert.deepEqual(reported, []);
    });

    it('when the caller aborts while they wait for input', async () => {
      let failed: unknown;
      await serve(async function* (frames) {
        try {
          for await (const { text } of frames) yield { text };
        } catch (error) {
          failed = error;
          throw error;
        }
      });
      const caller = new AbortController();
      const stream = await open({ signal: caller.signal });
      await stream.send(await frame('a'));
      await stream.next();
      caller.abort();
      const { end } = await rest(stream);
      assert.equal(end.kind === 'unreachable' && end.cause, 'cancelled');
      await until(() => failed !== undefined);
      assert.deepEqual(reported, []);
    });

    it('when the deadline passes', async () => {
      await serve(endless);
      const { texts, end } = await rest(await open(within(300)));
      assert.ok(texts.length > 0);
      assert.equal(end.kind === 'unreachable' && end.cause, 'deadline');
      await until(() => finished);
    });

    it('when the container stops meanwhile', async () => {
      await serve(endless);
      const stream = await open();
      await stream.next();
      await server?.stop(0);
      const { end } = await rest(stream);
      assert.equal(end.kind === 'unreachable' && end.cause, 'call', JSON.stringify(end));
      assert.match((end as { message: string }).message, /^calling node: /);
    });
  });

  describe('are not called', () => {
    const refusal = async (stream: NodeStream): Promise<string> => {
      const { end } = await rest(stream);
      assert.equal(end.kind, 'unreachable', JSON.stringify(end));
      return (end as { message: string }).message;
    };

    it('under an unknown node name', async () => {
      await serve(upperCase);
      assert.equal(
        await refusal(await open({}, 'Other')),
        'calling node: NOT_FOUND: acme/t@1.0.0 has no node "Other"; it has Node',
      );
    });

    it('if they are unary nodes', async () => {
      await serve(upperCase, 'unary');
      assert.equal(
        await refusal(await open()),
        'calling node: UNIMPLEMENTED: Node is a unary node and has no streams',
      );
    });

    it('with invalid input bytes, even if they catch the error', async () => {
      await serve(async function* (frames) {
        try {
          yield* upperCase(frames);
        } catch {
          yield { text: 'ignored' };
        }
      });
      const stream = await open();
      await stream.send(Uint8Array.of(0x0a));
      assert.match(await refusal(stream), /^calling node: INVALID_ARGUMENT: the input is not a t\.Text: /);
    });
  });

  it('run concurrently on one connection', async () => {
    await serve(upperCase);
    const streams = await Promise.all(Array.from({ length: 50 }, () => open()));
    const ends = await Promise.all(
      streams.map(async (stream, index) => {
        await stream.send(await frame(`s${index}`));
        stream.endInput();
        return rest(stream);
      }),
    );
    assert.deepEqual(
      ends.map(({ texts }) => texts),
      streams.map((_, index) => [`S${index}`]),
    );
  });
});
