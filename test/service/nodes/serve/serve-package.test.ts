import assert from 'node:assert/strict';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { Client, credentials, Metadata, type ServiceError } from '@grpc/grpc-js';
import { compileProtos } from '../../../../service/messages/compile/compile-protos.ts';
import { createRegistry } from '../../../../service/messages/registry.ts';
import type { NodeCallContext } from '../../../../service/nodes/container/call-context.ts';
import {
  type ContainerPool,
  createContainerPool,
  type InvokeOptions,
} from '../../../../service/nodes/container/container-pool.ts';
import type { InvokeOutcome } from '../../../../service/nodes/container/invoke-outcome.ts';
import {
  DescribeResponseSchema,
  WarmRequestSchema,
  WarmResponseSchema,
} from '../../../../service/nodes/container/protocol.ts';
import type { HostedPackage } from '../../../../service/nodes/serve/load-package.ts';
import type { NodeContext } from '../../../../service/nodes/serve/node-handlers.ts';
import { type NodeServer, servePackage } from '../../../../service/nodes/serve/serve-package.ts';
import { itSlow } from '../../../support/fast-run.ts';
import { createInvokeCaller } from '../../../support/invoke-caller.ts';
import { nodeInvocation, within } from '../../../support/node-invocation.ts';

const proto = `syntax = "proto3"; package t;
message Text { string text = 1; int64 number = 2; bytes data = 3; oneof choice { string left = 4; Text right = 5; } }`;

interface Text {
  text: string;
  number: bigint;
  data: Uint8Array;
  choice: { case: 'left'; value: string } | { case: 'right'; value: Text } | { case: undefined };
}

for (const way of ['Invoke', 'Session'] as const) {
  describe(`handlers in a node container, called by ${way}`, () => {
    const registryOf = compileProtos({ 't.proto': proto }).then(createRegistry);
    const reported: string[] = [];
    let pool: Omit<ContainerPool, 'stream'>;
    let server: NodeServer | undefined;

    before(() => {
      pool =
        way === 'Session'
          ? createContainerPool({ allowedHosts: [{ host: '127.0.0.1' }] })
          : createInvokeCaller();
    });
    after(() => pool.close());
    afterEach(async () => {
      await server?.stop(0);
      server = undefined;
      reported.length = 0;
    });

    const serve = async (
      handler: (input: Text, context: NodeContext) => unknown,
      declared: Partial<ReturnType<typeof declarationOf>> = {},
    ): Promise<void> => {
      const hosted: HostedPackage = {
        name: 'acme/t',
        version: '1.0.0',
        registry: await registryOf,
        nodes: new Map([['Node', { declaration: { ...declarationOf(), ...declared }, handler: handler }]]),
      };
      server = await servePackage(hosted, { port: 0, report: (text) => reported.push(text) });
    };
    const call = async (
      input: Partial<Text> = {},
      context: Partial<NodeCallContext> = {},
      options: Partial<InvokeOptions> = {},
    ): Promise<InvokeOutcome> => {
      const type = (await registryOf).getMessage('t.Text')!;
      const bytes = toBinary(type, create(type, input as Record<string, unknown>));
      const invocation = nodeInvocation('Node', bytes, context);
      return pool.invoke(server!.endpoint, invocation, { ...within(30_000), ...options });
    };
    const outputOf = async (outcome: InvokeOutcome): Promise<Text> => {
      assert.equal(outcome.kind, 'output', JSON.stringify(outcome));
      return fromBinary((await registryOf).getMessage('t.Text')!, outcome.bytes) as unknown as Text;
    };

    describe('receive', () => {
      it('protobuf-es messages: bigint, Uint8Array, oneofs by case', async () => {
        let seen: Text | undefined;
        await serve((input) => {
          seen = input;
          return input;
        });
        await call({
          number: 2n ** 62n,
          data: Uint8Array.of(1, 2),
          choice: { case: 'right', value: { text: 'inner' } as Text },
        });
        assert.equal(seen?.number, 2n ** 62n);
        assert.equal(Object.getPrototypeOf(seen.data), Uint8Array.prototype);
        assert.equal(seen.choice.case === 'right' && seen.choice.value.text, 'inner');
      });

      it('the context of the call', async () => {
        let seen: NodeContext | undefined;
        await serve((_, context) => {
          seen = context;
          return {};
        });
        const deadlineMs = Date.now() + 30_000;
        await call(
          {},
          {
            deadlineMs,
            attempt: 2,
            placementId: 'p1',
            configJson: '{"limit":5}',
            secrets: { KEY: 'v' },
            resumedPauseId: 'pause',
            resumedBy: 'Ada',
          },
        );
        const { signal, log, progress, mutate, memory, fail, pause, ...reported } = seen!;
        assert.deepEqual(reported, {
          executionId: '0123456789abcdef0123456789abcdef',
          node: 'Node',
          tenantId: 'tenant-1',
          placementId: 'p1',
          attempt: 2,
          idempotencyId: '0123456789abcdef0123456789abcdef:0',
          traceparent: '00-0123456789abcdef0123456789abcdef-0123456789abcdef-01',
          deadline: new Date(deadlineMs),
          config: { limit: 5 },
          secrets: { KEY: 'v' },
          resumed: { pauseId: 'pause', by: 'Ada' },
          binding: undefined,
        });
        assert.equal(signal.aborted, false);
        const functions = [log, progress, mutate, memory.read, memory.write, fail, pause];
        assert.ok(functions.every((one) => typeof one === 'function'));
      });
    });

    describe('respond', () => {
      it('with a plain object', async () => {
        await serve(({ text }) => Promise.resolve({ text: `${text}!`, number: 5 }));
        const output = await outputOf(await call({ text: 'a' }));
        assert.deepEqual([output.text, output.number], ['a!', 5n]);
      });

      it('with a failure that names the invalid field of an output', async () => {
        await serve(() => ({ text: 5 }));
        assert.deepEqual(await call(), {
          kind: 'failure',
          message: 'Node returned an invalid t.Text: text: expected a string, got 5',
          retryable: true,
          payloadJson: '',
        });
      });

      it('with a failure for an undefined output', async () => {
        await serve(() => undefined);
        const outcome = await call();
        assert.match(
          outcome.kind === 'failure' ? outcome.message : '',
          /^Node returned an invalid t\.Text: .*undefined$/,
        );
      });

      it('with the message of a thrown error as a retryable failure, and report its stack to the author only', async () => {
        await serve(() => {
          throw new RangeError('only 3 left: "piano" ☂');
        });
        assert.deepEqual(await call(), {
          kind: 'failure',
          message: 'only 3 left: "piano" ☂',
          retryable: true,
          payloadJson: '',
        });
        assert.equal(reported.length, 1);
        assert.match(reported[0]!, /^Node failed: RangeError: only 3 left.*\n {4}at /);
      });

      it('with the text of a thrown value that is not an Error', async () => {
        await serve(() => {
          // oxlint-disable-next-line typescript/only-throw-error -- what JavaScript allows
          throw 'plain text';
        });
        assert.equal(((await call()) as { message: string }).message, 'plain text');
      });

      it('with the payload of context.fail, retryable by default', async () => {
        await serve((_, context) => context.fail('busy', { payload: { left: 3n } }));
        assert.deepEqual(await call(), {
          kind: 'failure',
          message: 'busy',
          retryable: true,
          payloadJson: '{"left":"3"}',
        });
        assert.deepEqual(reported, []);
      });

      it('with a final failure if context.fail says so', async () => {
        await serve((_, context) => context.fail('gone', { retryable: false }));
        assert.deepEqual(await call(), {
          kind: 'failure',
          message: 'gone',
          retryable: false,
          payloadJson: '',
        });
      });

      it('with a pause', async () => {
        await serve((_, context) =>
          context.pause({ ask: { total: 5n }, resumeSchema: 't.Text', timeoutSeconds: 60 }),
        );
        assert.deepEqual(await call(), {
          kind: 'pause',
          interruptPayloadJson: '{"total":"5"}',
          resumeSchema: 't.Text',
          timeoutSeconds: 60,
          escalateAfterSeconds: 0,
          timeoutPolicy: '',
        });
      });

      it('with a pause whose messages and bytes are encoded as ProtoJSON', async () => {
        await serve((input, context) =>
          context.pause({ ask: { input, raw: Buffer.from([1, 2]), at: new Date(0) } }),
        );
        const outcome = await call({ text: 'a', number: 7n, data: Uint8Array.of(251, 255) });
        assert.equal(outcome.kind, 'pause');
        assert.deepEqual(JSON.parse(outcome.interruptPayloadJson), {
          input: { text: 'a', number: '7', data: '+/8=' },
          raw: 'AQI=',
          at: '1970-01-01T00:00:00.000Z',
        });
      });

      for (const seconds of [2.5, -1, NaN, 4_294_967_296]) {
        it(`with a failure if a pause has a timeout of ${seconds} seconds`, async () => {
          await serve((_, context) => context.pause({ ask: {}, timeoutSeconds: seconds }));
          const outcome = await call();
          assert.equal(outcome.kind, 'failure');
          const range = 'timeoutSeconds of a pause must be a whole number from 0 to 4294967295';
          assert.equal(outcome.message, `${range}, got ${seconds}`);
        });
      }

      it('after logs and progress', async () => {
        await serve((_, context) => {
          context.log('warn', 'half way');
          context.progress('step', { done: 1, of: 2n });
          return {};
        });
        const reported: unknown[] = [];
        const outcome = await call(
          {},
          {},
          { listener: { onLog: (log) => reported.push(log), onProgress: (step) => reported.push(step) } },
        );
        assert.equal(outcome.kind, 'output');
        assert.deepEqual(reported, [
          { level: 'warn', message: 'half way' },
          { kind: 'step', json: '{"done":1,"of":"2"}' },
        ]);
      });

      it('after progress frames of up to 64 KiB', async () => {
        await serve((input, context) => {
          context.progress('blob', 'x'.repeat(Number(input.number) - 2));
          return {};
        });
        assert.equal((await call({ number: 65_536n })).kind, 'output');
        const outcome = await call({ number: 65_537n });
        assert.equal(
          outcome.kind === 'failure' && outcome.message,
          'a progress frame has at most 65536 bytes of JSON',
        );
      });

      it('after mutations and memory activity', async () => {
        await serve((_, context) => {
          context.mutate({ edges: [{ from: 'a', to: 'b' }] });
          context.memory.read('names');
          context.memory.write('names', { count: 2n });
          return {};
        });
        const reported: unknown[] = [];
        const tell = (one: unknown): void => void reported.push(one);
        const outcome = await call({}, {}, { listener: { onMutation: tell, onMemory: tell } });
        assert.equal(outcome.kind, 'output');
        assert.deepEqual(reported, [
          '{"edges":[{"from":"a","to":"b"}]}',
          { operation: 'READ', key: 'names', json: '' },
          { operation: 'WRITE', key: 'names', json: '{"count":"2"}' },
        ]);
      });

      it('after mutations of up to 1 MiB', async () => {
        await serve((input, context) => {
          context.mutate('x'.repeat(Number(input.number) - 2) as never);
          return {};
        });
        assert.equal((await call({ number: 1_048_576n })).kind, 'output');
        const outcome = await call({ number: 1_048_577n });
        assert.equal(
          outcome.kind === 'failure' && outcome.message,
          'a mutation has at most 1048576 bytes of JSON',
        );
      });

      it('after memory details of up to 64 KiB', async () => {
        await serve((input, context) => {
          context.memory.write('blob', 'x'.repeat(Number(input.number) - 2));
          return {};
        });
        assert.equal((await call({ number: 65_536n })).kind, 'output');
        const outcome = await call({ number: 65_537n });
        assert.equal(
          outcome.kind === 'failure' && outcome.message,
          'the detail of a memory operation has at most 65536 bytes of JSON',
        );
      });

      it('before later messages are dropped', async () => {
        const late = Promise.withResolvers<NodeContext>();
        await serve((_, context) => {
          late.resolve(context);
          return {};
        });
        assert.equal((await call()).kind, 'output');
        (await late.promise).log('info', 'too late');
        assert.equal((await call()).kind, 'output');
        assert.equal((await late.promise).signal.aborted, false);
      });

      if (way === 'Session') {
        itSlow('with the largest possible output, next to other outputs of the same turn', async () => {
          await serve((input) => ({ data: new Uint8Array(Number(input.number)) }));
          await call();
          const sizes = [1_000_000n, 20_971_500n, 1_000_000n];
          const outcomes = await Promise.all(sizes.map((number) => call({ number }, {}, within(30_000))));
          for (const outcome of outcomes) assert.equal(outcome.kind, 'output');
        });
      }

      itSlow('with an error only to the call whose output is too large', async () => {
        await serve((input) => ({ data: new Uint8Array(Number(input.number)) }));
        const others = Array.from({ length: 3 }, () => call({ number: 1000n }));
        const outcome = await call({ number: 24_000_000n });
        assert.match(
          outcome.kind === 'unreachable' ? outcome.message : '',
          /^calling node: RESOURCE_EXHAUSTED: Sent message larger than max/,
        );
        for (const other of await Promise.all(others)) assert.equal(other.kind, 'output');
        assert.equal((await call({ number: 1000n })).kind, 'output');
      });
    });

    describe('are cancelled', () => {
      let called: PromiseWithResolvers<undefined>;
      beforeEach(() => {
        called = Promise.withResolvers();
      });
      const waiting = (stopped: PromiseWithResolvers<string>) => async (_: Text, context: NodeContext) => {
        called.resolve(undefined);
        const reason = await new Promise<Error>((resolve) => {
          context.signal.addEventListener('abort', () => resolve(context.signal.reason as Error));
        });
        stopped.resolve(reason.message);
        throw reason;
      };

      it('when the caller cancels', async () => {
        const stopped = Promise.withResolvers<string>();
        await serve(waiting(stopped));
        const caller = new AbortController();
        const outcomeOf = call({}, {}, { signal: caller.signal });
        await called.promise;
        caller.abort();
        const outcome = await outcomeOf;
        assert.equal(outcome.kind === 'unreachable' && outcome.cause, 'cancelled');
        assert.equal(await stopped.promise, 'the caller no longer waits');
        assert.deepEqual(reported, []);
      });

      itSlow('when the deadline passes', async () => {
        const stopped = Promise.withResolvers<string>();
        await serve((input, context) => (input.text === 'wait' ? waiting(stopped)(input, context) : input));
        // The connection is open, so connecting does not use up the time limit.
        await call();
        const outcome = await call({ text: 'wait' }, {}, within(1000));
        assert.equal(outcome.kind === 'unreachable' && outcome.cause, 'deadline');
        await stopped.promise;
      });

      it('when the container stops and the grace period passes', async () => {
        const stopped = Promise.withResolvers<string>();
        await serve(waiting(stopped));
        const outcome = call();
        await called.promise;
        await server!.stop(50);
        await stopped.promise;
        assert.equal((await outcome).kind, 'unreachable');
      });

      it('but not during the grace period', async () => {
        const finish = Promise.withResolvers<object>();
        await serve(() => {
          called.resolve(undefined);
          return finish.promise;
        });
        const outcome = call();
        await called.promise;
        const stopped = server!.stop(60_000);
        finish.resolve({ text: 'finished' });
        await stopped;
        assert.equal((await outputOf(await outcome)).text, 'finished');
      });
    });

    describe('are not called', () => {
      const refusal = async (invoke: () => Promise<InvokeOutcome>): Promise<string> => {
        const outcome = await invoke();
        assert.equal(outcome.kind, 'unreachable');
        return outcome.message;
      };

      it('under an unknown node name', async () => {
        await serve(() => ({}));
        const invocation = nodeInvocation('Nobody', new Uint8Array());
        assert.equal(
          await refusal(() => pool.invoke(server!.endpoint, invocation, within(30_000))),
          'calling node: NOT_FOUND: acme/t@1.0.0 has no node "Nobody"; it has Node',
        );
      });

      it('with invalid input bytes', async () => {
        await serve(() => ({}));
        const invocation = nodeInvocation('Node', Uint8Array.of(0x0a, 200));
        assert.match(
          await refusal(() => pool.invoke(server!.endpoint, invocation, within(30_000))),
          /^calling node: INVALID_ARGUMENT: the input is not a t\.Text: /,
        );
      });

      it('if they are pipeline nodes', async () => {
        await serve(() => ({}), { mode: 'pipeline' });
        assert.match(await refusal(() => call()), /^calling node: UNIMPLEMENTED: /);
      });

      it('with a config that is not a JSON object', async () => {
        await serve(() => ({}));
        for (const configJson of ['{', '5', 'null']) {
          assert.equal(
            await refusal(() => call({}, { configJson })),
            'calling node: INVALID_ARGUMENT: the config of the call is not a JSON object',
          );
        }
      });

      it('if they are generic nodes without a binding', async () => {
        await serve(() => ({}), { kind: 'generic', generic: ['output'], output: undefined });
        assert.equal(
          await refusal(() => call()),
          'calling node: FAILED_PRECONDITION: the output of Node is generic, and the call does not bind a message to it: call an Instance',
        );
      });
    });

    describe('of generic nodes', () => {
      const bound = compileProtos({
        'b.proto':
          'syntax = "proto3"; package b; message Point { int32 x = 1; } message Line { Point from = 1; }',
      });
      const binding = async (messages: { inputMessage?: string; outputMessage?: string }) => ({
        instance: 'acme/made@1.0.0',
        descriptorSet: await bound,
        ...messages,
      });

      it('answer with the message that the call binds', async () => {
        await serve((_, { binding: types }) => ({ from: { x: types?.output?.fields.length } }), {
          kind: 'generic',
          generic: ['output'],
          output: undefined,
        });
        const outcome = await call({}, { binding: await binding({ outputMessage: 'b.Line' }) });
        assert.deepEqual(outcome, { kind: 'output', bytes: Uint8Array.of(0x0a, 2, 0x08, 1) });
      });

      it('receive the message that the call binds, and its registry', async () => {
        await serve(
          (input, { binding: types }) => {
            const { from } = input as unknown as { from: { x: number } };
            return { text: `${from.x} ${types?.instance} ${types?.registry.getMessage('b.Point')?.name}` };
          },
          { kind: 'generic', generic: ['input'], input: undefined },
        );
        const invocation = nodeInvocation('Node', Uint8Array.of(0x0a, 2, 0x08, 7), {
          binding: await binding({ inputMessage: 'b.Line' }),
        });
        const output = await outputOf(await pool.invoke(server!.endpoint, invocation, within(30_000)));
        assert.equal(output.text, '7 acme/made@1.0.0 Point');
      });

      it('are not called with a binding that is invalid or lacks its message', async () => {
        await serve(() => ({}), { kind: 'generic', generic: ['output'], output: undefined });
        const lacking = await call({}, { binding: await binding({ outputMessage: 'b.Plane' }) });
        assert.equal(
          lacking.kind === 'unreachable' && lacking.message,
          'calling node: INVALID_ARGUMENT: the binding of acme/made@1.0.0 does not define b.Plane',
        );
        const broken = { ...(await binding({ outputMessage: 'b.Line' })), descriptorSet: Uint8Array.of(255) };
        const outcome = await call({}, { binding: broken });
        assert.match(
          outcome.kind === 'unreachable' ? outcome.message : '',
          /INVALID_ARGUMENT: the binding of .* cannot be read/,
        );
      });
    });

    describe('for another package', () => {
      const refused = async (packageName: string, packageVersion: string): Promise<string> => {
        let runs = 0;
        await serve(() => ((runs += 1), {}));
        const outcome = await call({}, { packageName, packageVersion });
        assert.equal(runs, 0);
        return outcome.kind === 'unreachable' ? outcome.message : outcome.kind;
      };

      it('are rejected with the names of both packages', async () => {
        assert.equal(
          await refused('acme/other', '1.0.0'),
          'calling node: FAILED_PRECONDITION: this container serves acme/t 1.0.0, not acme/other 1.0.0: call that version, or deploy each at a container of its own',
        );
      });

      it('are rejected for another version', async () => {
        assert.match(
          await refused('acme/t', '1.0.1'),
          /serves acme\/t 1\.0\.0, not acme\/t 1\.0\.1: call that version/,
        );
      });

      it('are accepted for their own package, and for callers that name no package', async () => {
        await serve(() => ({}));
        const named = { packageName: 'acme/t', packageVersion: '1.0.0' };
        assert.equal((await call({}, named)).kind, 'output');
        assert.equal((await call({}, { packageName: '', packageVersion: '' })).kind, 'output');
      });
    });

    describe('in addition to Invoke', () => {
      const request = (path: string): Promise<Uint8Array> =>
        new Promise((resolve, reject) => {
          const client = new Client(server!.endpoint.replace('grpc://', ''), credentials.createInsecure());
          const bytes = toBinary(WarmRequestSchema, create(WarmRequestSchema, { nodes: ['Node'] }));
          const done = (error: ServiceError | null, value?: Uint8Array): void => {
            client.close();
            if (error) reject(error);
            else resolve(value!);
          };
          client.makeUnaryRequest(
            path,
            (sent: Uint8Array) => Buffer.from(sent),
            (answer: Buffer) => new Uint8Array(answer),
            bytes,
            new Metadata(),
            done,
          );
        });

      it('respond to Warm without running a handler', async () => {
        let runs = 0;
        await serve(() => ((runs += 1), {}));
        fromBinary(WarmResponseSchema, await request('/svc.node.v1.NodeContainer/Warm'));
        assert.equal(runs, 0);
      });

      it('describe their package with descriptors, but without comments', async () => {
        await serve(() => ({}), { output: undefined, kind: 'generic', generic: ['output'] });
        const bytes = await request('/svc.node.v1.NodeContainer/Describe');
        const [served, ...others] = fromBinary(DescribeResponseSchema, bytes).packages;
        assert.deepEqual([served?.name, served?.version, others], ['acme/t', '1.0.0', []]);
        const { name, inputMessage, outputMessage, mode } = served!.nodes[0]!;
        assert.deepEqual([name, inputMessage, outputMessage, mode], ['Node', 't.Text', '', 'unary']);
        const { file } = fromBinary(FileDescriptorSetSchema, served!.descriptorSet);
        assert.deepEqual(
          file.map((one) => [one.name, one.sourceCodeInfo]),
          [['t.proto', undefined]],
        );
        assert.ok(createRegistry(served!.descriptorSet).getMessage('t.Text'));
      });

      itSlow('omit descriptors from a description that would be too large', async () => {
        const comment = 'x'.repeat(100);
        const large = Array.from(
          { length: 2_000 },
          (_, i) => `message ${comment}${i} { string ${comment} = 1; }`,
        );
        const protos = { 't.proto': `${proto}\n${large.join('\n')}` };
        const registry = createRegistry(await compileProtos(protos));
        const nodes = new Map([['Node', { declaration: declarationOf(), handler: () => ({}) }]]);
        const hosted = { name: 'acme/t', version: '1.0.0', registry, nodes };
        server = await servePackage(hosted, { port: 0, report: () => undefined });
        const bytes = await request('/svc.node.v1.NodeContainer/Describe');
        const [served] = fromBinary(DescribeResponseSchema, bytes).packages;
        assert.deepEqual([served?.nodes.length, served?.descriptorSet.length], [1, 0]);
      });

      it('reject a stream whose first message is not its start', async () => {
        await serve(() => ({}));
        await assert.rejects(
          request('/svc.node.v1.NodeContainer/Stream'),
          /INVALID_ARGUMENT: the first message of a stream is its start/,
        );
      });
    });

    itSlow('fail to start on a port in use', async () => {
      await serve(() => ({}));
      const port = Number(server!.endpoint.split(':').at(-1));
      const hosted = { name: 'acme/t', version: '1.0.0', registry: await registryOf, nodes: new Map() };
      await assert.rejects(
        servePackage(hosted, { port, report: () => undefined }),
        new RegExp(`port ${port} of 127.0.0.1 is taken: give another one, or --port 0 for any free port`),
      );
    });
  });
}

function declarationOf() {
  return {
    name: 'Node',
    input: 't.Text' as string | undefined,
    output: 't.Text' as string | undefined,
    mode: 'unary' as 'unary' | 'pipeline',
    kind: 'standard' as 'standard' | 'generic',
    generic: [] as ('input' | 'output')[],
    description: '',
    required_secrets: [],
  };
}
