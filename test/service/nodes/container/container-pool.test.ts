import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { status } from '@grpc/grpc-js';
import { limits } from '../../../../specs/limits.ts';
import {
  type ContainerPool,
  createContainerPool,
} from '../../../../service/nodes/container/container-pool.ts';
import { itSlow } from '../../../support/fast-run.ts';
import { manualClock } from '../../../support/manual-clock.ts';
import { nodeInvocation, within } from '../../../support/node-invocation.ts';
import {
  type Answer,
  type ScriptedContainer,
  startScriptedContainer,
} from '../../../support/scripted-container.ts';

const hello = new TextEncoder().encode('hello');

for (const way of ['Invoke', 'Session'] as const) {
  describe(`calls of node containers by ${way}`, () => {
    let pool: ContainerPool;
    let container: ScriptedContainer | undefined;

    beforeEach(() => {
      pool = createContainerPool({ allowedHosts: [{ host: '127.0.0.1' }] });
    });
    afterEach(() => {
      pool.close();
      container?.kill();
      // All answered calls use one method, except for inputs that are too large for a session.
      for (const { way: by, input } of container?.requests ?? []) {
        if (input.length <= 65_536) assert.equal(by, way);
      }
      container = undefined;
    });

    const serve = async (script: Parameters<typeof startScriptedContainer>[0]): Promise<string> => {
      container = await startScriptedContainer(script, { way });
      return container.endpoint;
    };
    const invoke = (endpoint: string, timeoutMs = 30_000) =>
      pool.invoke(endpoint, nodeInvocation('Echo', hello), within(timeoutMs));

    describe('that follow the protocol', () => {
      it('return the output bytes unchanged', async () => {
        const endpoint = await serve((answer) => {
          answer.say({ case: 'output', value: Uint8Array.of(1, 2, 3) });
          answer.end();
        });
        assert.deepEqual(await invoke(endpoint), { kind: 'output', bytes: Uint8Array.of(1, 2, 3) });
      });

      it('return the output and all notes when processing the notes takes several turns', async () => {
        const endpoint = await serve((answer) => {
          for (let n = 0; n < 40; n += 1)
            answer.say({ case: 'log', value: { level: 'info', message: `${n}` } });
          answer.say({ case: 'output', value: hello });
          answer.end();
        });
        const logged: string[] = [];
        const onLog = ({ message }: { message: string }): void => {
          logged.push(message);
          for (const until = performance.now() + 2; performance.now() < until;);
        };
        const outcomes = await Promise.all(
          [1, 2, 3].map(() =>
            pool.invoke(endpoint, nodeInvocation('Echo', hello), { ...within(30_000), listener: { onLog } }),
          ),
        );
        assert.deepEqual(
          outcomes,
          outcomes.map(() => ({ kind: 'output', bytes: hello })),
        );
        assert.equal(logged.length, 120);
      });

      it('return an empty output', async () => {
        const endpoint = await serve((answer) => {
          answer.say({ case: 'output', value: new Uint8Array() });
          answer.end();
        });
        assert.deepEqual(await invoke(endpoint), { kind: 'output', bytes: new Uint8Array() });
      });

      it('return a failure with the error message of the node', async () => {
        const endpoint = await serve((answer) => {
          const failurePayloadJson = '{"left":0}';
          answer.say({
            case: 'error',
            value: { message: 'out of tea', retryable: true, failurePayloadJson },
          });
          answer.end();
        });
        assert.deepEqual(await invoke(endpoint), {
          kind: 'failure',
          message: 'out of tea',
          retryable: true,
          payloadJson: '{"left":0}',
        });
      });

      it('return a failure with a default message if the node reports none', async () => {
        const endpoint = await serve((answer) => {
          answer.say({ case: 'error', value: {} });
          answer.end();
        });
        assert.deepEqual(await invoke(endpoint), {
          kind: 'failure',
          message: 'the node failed without a message',
          retryable: false,
          payloadJson: '',
        });
      });

      it('return a pause', async () => {
        const endpoint = await serve((answer) => {
          const value = {
            interruptPayloadJson: '"sure?"',
            resumeSchema: 'acme.Decision',
            timeoutSeconds: 60,
          };
          answer.say({ case: 'pause', value });
          answer.end();
        });
        assert.deepEqual(await invoke(endpoint), {
          kind: 'pause',
          interruptPayloadJson: '"sure?"',
          resumeSchema: 'acme.Decision',
          timeoutSeconds: 60,
          escalateAfterSeconds: 0,
          timeoutPolicy: '',
        });
      });

      it('report logs and progress in order before the end', async () => {
        const endpoint = await serve((answer) => {
          answer.say({ case: 'log', value: { level: 'info', message: 'one' } });
          answer.say({ case: 'progress', value: { kind: 'step', json: '{"n":1}' } });
          answer.say({ case: 'memory', value: { operation: 'READ', key: 'k' } });
          answer.say({ case: 'log', value: { level: 'warn', message: 'two' } });
          answer.say({ case: 'output', value: hello });
          answer.end();
        });
        const reported: unknown[] = [];
        const outcome = await pool.invoke(endpoint, nodeInvocation('Echo', hello), {
          ...within(30_000),
          listener: {
            onLog: (log) => reported.push(log),
            onProgress: (progress) => reported.push(progress),
          },
        });
        assert.equal(outcome.kind, 'output');
        assert.deepEqual(reported, [
          { level: 'info', message: 'one' },
          { kind: 'step', json: '{"n":1}' },
          { level: 'warn', message: 'two' },
        ]);
      });

      it('send the context and the input', async () => {
        const endpoint = await serve((answer) => {
          answer.say({ case: 'output', value: hello });
          answer.end();
        });
        const deadlineMs = Date.now() + 30_000;
        const invocation = nodeInvocation('Echo', hello, {
          deadlineMs: deadlineMs + 0.7,
          attempt: 3,
          secrets: { TOKEN: 'secret' },
          configJson: '{"a":1}',
          resumedPauseId: 'pause-1',
          binding: { instance: 'acme/x@1.0.0', outputMessage: 'a.B', descriptorSet: Uint8Array.of(9) },
        });
        await pool.invoke(endpoint, invocation, { deadlineMs });
        const { context, input } = container!.requests[0]!;
        assert.deepEqual(input, hello);
        assert.equal(context?.node, 'Echo');
        assert.equal(context.attempt, 3);
        assert.equal(context.deadlineMs, BigInt(deadlineMs));
        assert.deepEqual(context.secrets, { TOKEN: 'secret' });
        assert.equal(context.configJson, '{"a":1}');
        assert.equal(context.resumedPauseId, 'pause-1');
        assert.equal(context.binding?.outputMessage, 'a.B');
        assert.equal(context.binding.inputMessage, '');
      });

      itSlow('transfer 16 MiB in each direction, plus the context', async () => {
        const endpoint = await serve((answer, request) => {
          answer.say({ case: 'output', value: request.input });
          answer.end();
        });
        const input = new Uint8Array(limits.inputBytes).fill(7);
        const configJson = JSON.stringify({ text: 'x'.repeat(100_000) });
        const outcome = await pool.invoke(
          endpoint,
          nodeInvocation('Echo', input, { configJson }),
          within(30_000),
        );
        assert.equal(outcome.kind, 'output');
        assert.equal(Buffer.compare(outcome.bytes, input), 0);
      }).timeout(180_000);

      it('share one connection when concurrent', async () => {
        const peers = new Set<string>();
        const endpoint = await serve((answer, { input }) => {
          peers.add(answer.peer);
          setTimeout(() => {
            answer.say({ case: 'output', value: input });
            answer.end();
          }, 5);
        });
        const outcomes = await Promise.all(
          Array.from({ length: 300 }, (_, index) =>
            pool.invoke(endpoint, nodeInvocation('Echo', Uint8Array.of(index % 256)), within(30_000)),
          ),
        );
        for (const [index, outcome] of outcomes.entries()) {
          assert.deepEqual(outcome, { kind: 'output', bytes: Uint8Array.of(index % 256) });
        }
        assert.equal(peers.size, 1);
      });
    });

    describe('that violate the protocol', () => {
      const broken = async (script: (answer: Answer) => void, message: string): Promise<void> => {
        assert.deepEqual(await invoke(await serve(script)), {
          kind: 'unreachable',
          cause: 'protocol',
          message,
        });
      };

      it('by ending without a response', () =>
        broken((answer) => {
          answer.say({ case: 'log', value: { level: 'info', message: 'bye' } });
          answer.end();
        }, 'calling node: the container ended the call without output, error or pause'));

      // In a session, the answer ends the call, so nothing can follow it.
      if (way === 'Invoke') {
        it('by responding twice', () =>
          broken((answer) => {
            answer.say({ case: 'output', value: hello });
            answer.say({ case: 'error', value: { message: 'or not' } });
            answer.end();
          }, 'calling node: the container sent error after output'));

        it('by messages after the response', () =>
          broken((answer) => {
            answer.say({ case: 'output', value: hello });
            answer.say({ case: 'log', value: { level: 'info', message: 'more' } });
            answer.end();
          }, 'calling node: the container sent log after output'));
      }

      it('by responding as a pipeline node', () =>
        broken((answer) => {
          answer.say({ case: 'frame', value: hello });
          answer.end();
        }, 'calling node: the container answered a unary call with frame, which only pipeline nodes send'));

      it('by an empty message', () =>
        broken((answer) => {
          answer.sayBytes(new Uint8Array());
          answer.end();
        }, 'calling node: the container sent an empty message'));

      it('by bytes that are not a message', async () => {
        const endpoint = await serve((answer) => {
          answer.sayBytes(Uint8Array.of(0xff, 0xff, 0xff));
          answer.end();
        });
        const outcome = await invoke(endpoint);
        assert.equal(outcome.kind, 'unreachable');
        assert.match(outcome.message, /^calling node: INTERNAL: /);
      });

      it('by endless messages, and are cancelled at once', async () => {
        const cancelled = Promise.withResolvers<undefined>();
        const endpoint = await serve((answer) => {
          answer.onCancelled(() => cancelled.resolve(undefined));
          answer.say({ case: 'done', value: {} });
        });
        const outcome = await invoke(endpoint);
        assert.equal(outcome.kind === 'unreachable' && outcome.cause, 'protocol');
        await cancelled.promise;
      });
    });

    describe('that fail', () => {
      it('because nothing listens on the port', async () => {
        // A call that kept waiting would exceed the time limit of the test.
        assert.deepEqual(await invoke('grpc://127.0.0.1:1', 600_000), {
          kind: 'unreachable',
          cause: 'connect',
          message: 'could not connect to node',
        });
      });

      it('because the peer accepts the connection but never responds', async () => {
        const sockets = new Set<Socket>();
        const silent = createServer((socket) => sockets.add(socket)).listen(0, '127.0.0.1');
        await once(silent, 'listening');
        try {
          const { port } = silent.address() as { port: number };
          assert.deepEqual(await invoke(`grpc://127.0.0.1:${port}`, 300), {
            kind: 'unreachable',
            cause: 'connect',
            message: 'could not connect to node',
          });
        } finally {
          for (const socket of sockets) socket.destroy();
          silent.close();
        }
      });

      it('because the peer speaks another protocol', async () => {
        const http = createServer((socket) => {
          socket.on('error', () => undefined).resume();
          socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
        }).listen(0, '127.0.0.1');
        await once(http, 'listening');
        try {
          const { port } = http.address() as { port: number };
          const outcome = await invoke(`grpc://127.0.0.1:${port}`);
          assert.equal(
            outcome.kind === 'unreachable' && outcome.message,
            'could not connect to node: no gRPC server without TLS answers there: ' +
              'deploy it as grpcs:// if it has TLS, or give the port of the container',
          );
        } finally {
          http.close();
        }
      });

      it('because the container dies during the call', async () => {
        const endpoint = await serve((answer) => {
          answer.say({ case: 'log', value: { level: 'info', message: 'still here' } });
          setTimeout(() => container!.kill(), 20);
        });
        const outcome = await invoke(endpoint);
        assert.equal(outcome.kind, 'unreachable');
        assert.equal(outcome.cause, 'call');
        assert.match(outcome.message, /^calling node: [A-Z_]+: /);
      });

      it('because the container responds with an error status', async () => {
        const endpoint = await serve((answer) => answer.fail(status.RESOURCE_EXHAUSTED, 'too busy'));
        assert.deepEqual(await invoke(endpoint), {
          kind: 'unreachable',
          cause: 'call',
          message: 'calling node: RESOURCE_EXHAUSTED: too busy',
        });
      });

      it('because the call is too large to send', async () => {
        const endpoint = await serve((answer) => answer.end());
        const input = new Uint8Array(limits.inputBytes + 5_000_000);
        const outcome = await pool.invoke(endpoint, nodeInvocation('Echo', input), within(30_000));
        assert.equal(outcome.kind, 'unreachable');
        assert.equal(outcome.cause, 'send');
        assert.match(outcome.message, /^sending to node: the call has \d+ bytes, at most \d+ can be sent$/);
        assert.equal(container!.requests.length, 0);
      });

      it('because the host is no longer allowed', async () => {
        const endpoint = await serve((answer) => answer.end());
        const outcome = await pool.invoke(
          endpoint.replace('127.0.0.1', 'localhost'),
          nodeInvocation('Echo', hello),
          within(30_000),
        );
        assert.match(outcome.kind === 'unreachable' ? outcome.message : '', /is not in SVC_NODE_HOSTS/);
        assert.equal(container!.requests.length, 0);
      });

      it('because the pool is closed', async () => {
        const endpoint = await serve((answer) => answer.end());
        pool.close();
        const outcome = await invoke(endpoint);
        assert.equal(
          outcome.kind === 'unreachable' && outcome.message,
          'calling node: the service is shutting down',
        );
      });

      it('until the container is available again', async () => {
        const echo = (answer: Answer): void => {
          answer.say({ case: 'output', value: hello });
          answer.end();
        };
        const endpoint = await serve(echo);
        assert.equal((await invoke(endpoint)).kind, 'output');
        const { port } = container!;
        container!.kill();
        await delay(50);
        assert.equal((await invoke(endpoint)).kind, 'unreachable');
        container = await startScriptedContainer(echo, { way, port });
        // The call is retried after about a second, within the time of the test.
        while ((await invoke(endpoint)).kind !== 'output') await delay(50);
      });
    });

    describe('that end early', () => {
      itSlow('at the deadline, on both sides', async () => {
        const cancelled = Promise.withResolvers<undefined>();
        let isQuick = true;
        const endpoint = await serve((answer) => {
          if (!isQuick) {
            answer.onCancelled(() => cancelled.resolve(undefined));
            return;
          }
          answer.say({ case: 'output', value: hello });
          answer.end();
        });
        // The message says what is left of the time limit, which is exact by a clock that stands still.
        pool.close();
        pool = createContainerPool({ allowedHosts: [{ host: '127.0.0.1' }], clock: manualClock(1000) });
        // The connection is open, so connecting does not use up the time limit.
        assert.equal((await invoke(endpoint)).kind, 'output');
        isQuick = false;
        const startedAt = Date.now();
        assert.deepEqual(await pool.invoke(endpoint, nodeInvocation('Echo', hello), { deadlineMs: 2000 }), {
          kind: 'unreachable',
          cause: 'deadline',
          message: 'calling node: no answer within 1000 ms',
        });
        assert.ok(Date.now() - startedAt >= 990);
        await cancelled.promise;
      });

      it('at once if the deadline has passed before the call', async () => {
        const endpoint = await serve((answer) => answer.end());
        const outcome = await invoke(endpoint, -1000);
        assert.equal(outcome.kind === 'unreachable' && outcome.cause, 'deadline');
        assert.equal(container!.requests.length, 0);
      });

      it('by the clock of the pool', async () => {
        const endpoint = await serve((answer) => {
          answer.say({ case: 'output', value: hello });
          answer.end();
        });
        const clock = manualClock(1000);
        const early = createContainerPool({ allowedHosts: [{ host: '127.0.0.1' }], clock });
        const invocation = nodeInvocation('Echo', hello);
        assert.equal((await early.invoke(endpoint, invocation, { deadlineMs: 6000 })).kind, 'output');
        early.close();
      });

      it('when their signal aborts, on both sides', async () => {
        const caller = new AbortController();
        const cancelled = Promise.withResolvers<undefined>();
        const endpoint = await serve((answer) => {
          answer.onCancelled(() => cancelled.resolve(undefined));
          caller.abort();
        });
        const outcome = await pool.invoke(endpoint, nodeInvocation('Echo', hello), {
          ...within(30_000),
          signal: caller.signal,
        });
        assert.deepEqual(outcome, {
          kind: 'unreachable',
          cause: 'cancelled',
          message: 'calling node: the call was cancelled',
        });
        await cancelled.promise;
      });

      it('when their signal has already aborted, without sending anything', async () => {
        const endpoint = await serve((answer) => answer.end());
        const signal = AbortSignal.abort();
        const outcome = await pool.invoke(endpoint, nodeInvocation('Echo', hello), {
          ...within(30_000),
          signal,
        });
        assert.equal(outcome.kind === 'unreachable' && outcome.cause, 'cancelled');
        assert.equal(container!.requests.length, 0);
      });

      it('but not because the container itself reports CANCELLED', async () => {
        const endpoint = await serve((answer) => answer.fail(status.CANCELLED, 'not now'));
        assert.deepEqual(await invoke(endpoint), {
          kind: 'unreachable',
          cause: 'call',
          message: 'calling node: CANCELLED: not now',
        });
      });
    });
  });
}
