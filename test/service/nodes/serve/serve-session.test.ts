import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { create, toBinary } from '@bufbuild/protobuf';
import {
  Client,
  type ClientDuplexStream,
  credentials,
  Metadata,
  status,
  type StatusObject,
} from '@grpc/grpc-js';
import { compileProtos } from '../../../../service/messages/compile/compile-protos.ts';
import { createRegistry } from '../../../../service/messages/registry.ts';
import { encodeInvocation } from '../../../../service/nodes/container/call-context.ts';
import {
  decodeReplies,
  encodeCalls,
  type SessionReply,
} from '../../../../service/nodes/container/session-codec.ts';
import type { NodeContext } from '../../../../service/nodes/serve/node-handlers.ts';
import { type NodeServer, servePackage } from '../../../../service/nodes/serve/serve-package.ts';
import { itSlow } from '../../../support/fast-run.ts';
import { nodeInvocation } from '../../../support/node-invocation.ts';
import { until } from '../../../support/until.ts';

const proto = 'syntax = "proto3"; package t; message Size { int32 bytes = 1; bytes data = 2; }';

interface Size {
  bytes: number;
}

describe('a session served by a container', () => {
  const registryOf = compileProtos({ 't.proto': proto }).then(createRegistry);
  let server: NodeServer;
  let client: Client;
  let stream: ClientDuplexStream<Uint8Array, Uint8Array>;
  /** The replies of each message so far. */
  let messages: SessionReply[][];
  let ends: StatusObject[];

  afterEach(async () => {
    client.close();
    stream.cancel();
    await server.stop(0);
  });

  const open = async (handler: (input: Size, context: NodeContext) => unknown): Promise<void> => {
    const declaration = {
      name: 'Node',
      input: 't.Size',
      output: 't.Size',
      mode: 'unary' as const,
      kind: 'standard' as const,
      generic: [],
      description: '',
      required_secrets: [],
    };
    server = await servePackage(
      {
        name: 'acme/t',
        version: '1.0.0',
        registry: await registryOf,
        nodes: new Map([['Node', { declaration, handler }]]),
      },
      { port: 0, report: () => undefined },
    );
    client = new Client(server.endpoint.replace('grpc://', ''), credentials.createInsecure(), {
      'grpc.max_receive_message_length': -1,
    });
    stream = client.makeBidiStreamRequest(
      '/svc.node.v1.NodeContainer/Session',
      (bytes: Uint8Array) => Buffer.from(bytes),
      (bytes: Buffer) => new Uint8Array(bytes),
      new Metadata(),
    );
    messages = [];
    ends = [];
    stream.on('data', (bytes: Uint8Array) => messages.push(decodeReplies(bytes)));
    stream.on('error', () => undefined);
    stream.on('status', (reported) => ends.push(reported));
  };
  const request = async (bytes = 0): Promise<Uint8Array> => {
    const type = (await registryOf).getMessage('t.Size')!;
    return encodeInvocation(nodeInvocation('Node', toBinary(type, create(type, { bytes }))));
  };
  const ids = (): bigint[] => messages.flat().map(({ id }) => id);

  it('opens before the first call', async () => {
    await open(() => ({}));
    let there = false;
    stream.on('metadata', () => (there = true));
    await until(() => there);
  });

  it('sends the replies of one event loop turn in one message', async () => {
    await open(() => ({}));
    const call = await request();
    stream.write(
      encodeCalls(Array.from({ length: 50 }, (_, index) => ({ id: BigInt(index), request: call }))),
    );
    await until(() => ids().length === 50);
    assert.equal(messages.length, 1);
  });

  it('cancels one call without further replies to it, and continues the others', async () => {
    const calls: NodeContext[] = [];
    const finish = Promise.withResolvers<object>();
    await open((_, context) => {
      calls.push(context);
      return finish.promise;
    });
    const call = await request();
    const two = [7n, 2n ** 64n - 1n].map((id) => ({ id, request: call }));
    stream.write(encodeCalls(two));
    await until(() => calls.length === 2);
    stream.write(encodeCalls([{ id: 7n, request: undefined }]));
    await until(() => calls[0]?.signal.aborted === true);
    assert.equal(calls[1]?.signal.aborted, false);
    calls[0]?.log('info', 'nobody hears it');
    finish.resolve({});
    await until(() => ids().length > 0);
    stream.write(encodeCalls([{ id: 8n, request: call }]));
    await until(() => ids().length === 2);
    assert.deepEqual(ids(), [2n ** 64n - 1n, 8n]);
  });

  itSlow('accepts no calls while its replies are not read, and all of them afterwards', async () => {
    let runs = 0;
    await open(({ bytes }) => {
      runs += 1;
      return { data: new Uint8Array(bytes) };
    });
    const call = await request(200_000);
    stream.pause();
    const total = 150;
    for (let id = 1; id <= total; id++) {
      stream.write(encodeCalls([{ id: BigInt(id), request: call }]));
      // The calls of one turn are accepted together.
      await delay(5);
    }
    await delay(500);
    assert.ok(runs > 0 && runs < 100, `${runs} calls were taken`);
    stream.resume();
    await until(() => ids().length === total);
  });

  it('ends after the last reply once the caller has half-closed it', async () => {
    const finish = Promise.withResolvers<object>();
    let runs = 0;
    await open(() => {
      runs += 1;
      return finish.promise;
    });
    stream.write(encodeCalls([{ id: 1n, request: await request() }]));
    stream.end();
    await until(() => runs === 1);
    assert.equal(ends.length, 0);
    finish.resolve({});
    await until(() => ends.length > 0);
    assert.equal(ends[0]?.code, status.OK);
    assert.deepEqual(ids(), [1n]);
  });

  it('fails only the invalid call of a message', async () => {
    await open(() => ({}));
    stream.write(
      encodeCalls([
        { id: 1n, request: Uint8Array.of(0xff) },
        { id: 2n, request: await request() },
      ]),
    );
    await until(() => ids().length === 2);
    const replies = new Map(messages.flat().map(({ id, body }) => [id, body]));
    const failed = replies.get(1n);
    assert.ok(failed && !(failed instanceof Uint8Array));
    assert.equal(failed.code, status.INVALID_ARGUMENT);
    assert.match(failed.message, /^the call is not an InvokeRequest: /);
    assert.ok(replies.get(2n) instanceof Uint8Array);
  });

  for (const [how, breakIt, message] of [
    [
      'reuses an id',
      async () => encodeCalls([{ id: 1n, request: await request() }]),
      /^not a session: the call 1 is already open$/,
    ],
    ['sends invalid bytes', () => Promise.resolve(Uint8Array.of(0xff, 0xff)), /^not a session: /],
  ] as const) {
    it(`fails if the caller ${how}, and its open calls are cancelled`, async () => {
      let running: NodeContext | undefined;
      await open((_, context) => {
        running = context;
        return new Promise((resolve) => {
          context.signal.addEventListener('abort', () => resolve({}));
        });
      });
      stream.write(encodeCalls([{ id: 1n, request: await request() }]));
      await until(() => running !== undefined);
      stream.write(await breakIt());
      await until(() => ends.length > 0);
      assert.equal(ends[0]?.code, status.INVALID_ARGUMENT);
      assert.match(ends[0].details, message);
      await until(() => running?.signal.aborted === true);
    });
  }
});
