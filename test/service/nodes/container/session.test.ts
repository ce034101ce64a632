import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { mock } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { status } from '@grpc/grpc-js';
import {
  type ContainerPool,
  createContainerPool,
} from '../../../../service/nodes/container/container-pool.ts';
import type { InvokeOutcome } from '../../../../service/nodes/container/invoke-outcome.ts';
import { itSlow } from '../../../support/fast-run.ts';
import { nodeInvocation, within } from '../../../support/node-invocation.ts';
import { until } from '../../../support/until.ts';
import {
  type Answer,
  type ScriptedContainer,
  type ScriptOptions,
  startScriptedContainer,
} from '../../../support/scripted-container.ts';

type Script = Parameters<typeof startScriptedContainer>[0];

const echo: Script = (answer, { input }) => answer.say({ case: 'output', value: input });

describe('sessions with node containers', () => {
  let pool: ContainerPool;
  let container: ScriptedContainer;

  beforeEach(() => {
    pool = createContainerPool({ allowedHosts: [{ host: '127.0.0.1' }] });
  });
  afterEach(() => {
    mock.timers.reset();
    pool.close();
    container.kill();
  });

  const serve = async (script: Script, options: ScriptOptions = {}): Promise<void> => {
    container = await startScriptedContainer(script, { way: 'Session', ...options });
  };
  const invoke = (
    input: Uint8Array = Uint8Array.of(1),
    timeoutMs = 30_000,
    signal?: AbortSignal,
  ): Promise<InvokeOutcome> =>
    pool.invoke(container.endpoint, nodeInvocation('Echo', input), {
      ...within(timeoutMs),
      ...(signal && { signal }),
    });
  const numbered = (index: number): Uint8Array => Uint8Array.of(index & 255, index >> 8);

  it('send the calls of one event loop turn in one message', async () => {
    await serve(echo);
    await invoke();
    await Promise.all(Array.from({ length: 200 }, () => invoke()));
    await Promise.all(Array.from({ length: 100 }, () => invoke()));
    assert.deepEqual(
      container.sessions.map(({ messages }) => messages),
      [[1, 200, 100]],
    );
  });

  it('route outputs, logs and progress to their calls in any order', async () => {
    const answers: [Answer, Uint8Array][] = [];
    await serve((answer, { input }) => {
      answers.push([answer, input]);
      if (answers.length < 20) return;
      for (const [late, said] of answers)
        late.say({ case: 'log', value: { level: 'info', message: `${said[0]}` } });
      for (const [late, said] of answers.reverse()) {
        late.say({ case: 'progress', value: { kind: 'step', json: `${said[0]}` } });
        late.say({ case: 'output', value: said });
      }
    });
    await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const reported: string[] = [];
        const outcome = await pool.invoke(container.endpoint, nodeInvocation('Echo', numbered(index)), {
          ...within(30_000),
          listener: {
            onLog: ({ message }) => reported.push(`log ${message}`),
            onProgress: ({ json }) => reported.push(`progress ${json}`),
          },
        });
        assert.deepEqual(outcome, { kind: 'output', bytes: numbered(index) });
        assert.deepEqual(reported, [`log ${index}`, `progress ${index}`]);
      }),
    );
  });

  itSlow('transfer 10,000 concurrent calls in messages that any gRPC server accepts', async () => {
    await serve(echo);
    const outcomes = await Promise.all(Array.from({ length: 10_000 }, (_, index) => invoke(numbered(index))));
    for (const [index, outcome] of outcomes.entries()) {
      assert.deepEqual(outcome, { kind: 'output', bytes: numbered(index) });
    }
    const { messages } = container.sessions[0]!;
    assert.equal(container.sessions.length, 1);
    assert.ok(messages.length > 1 && messages.length < 20, `${messages.length} messages`);
  });

  it('transfer inputs of up to 64 KiB, and leave larger ones to Invoke', async () => {
    await serve((answer, request) => {
      echo(answer, request);
      if (request.input.length > 65_536) answer.end();
    });
    for (const size of [65_536, 65_537]) {
      const outcome = await invoke(new Uint8Array(size).fill(7));
      assert.equal(outcome.kind === 'output' && outcome.bytes.length, size);
    }
    assert.deepEqual(
      container.requests.map(({ way }) => way),
      ['Session', 'Invoke'],
    );
  });

  it('leave calls with a large context to Invoke', async () => {
    await serve((answer, request) => {
      echo(answer, request);
      answer.end();
    });
    const configJson = JSON.stringify('x'.repeat(1_100_000));
    const large = nodeInvocation('Echo', Uint8Array.of(1), { configJson });
    assert.equal((await pool.invoke(container.endpoint, large, within(30_000))).kind, 'output');
    assert.equal(container.requests[0]?.way, 'Invoke');
  });

  it('ignore replies to calls that have ended', async () => {
    await serve((answer, { input }) => {
      answer.say({ case: 'output', value: input });
      answer.say({ case: 'error', value: { message: 'or not' } });
      answer.fail(status.INTERNAL, 'or not at all');
    });
    for (let index = 0; index < 3; index++) {
      assert.deepEqual(await invoke(numbered(index)), { kind: 'output', bytes: numbered(index) });
    }
    assert.equal(container.sessions.length, 1);
  });

  it('withdraw calls that are not sent yet', async () => {
    await serve(echo);
    await invoke();
    const caller = new AbortController();
    const outcomes = [invoke(numbered(1), 30_000, caller.signal), invoke(numbered(2))];
    caller.abort();
    assert.equal((await outcomes[0])?.kind, 'unreachable');
    assert.equal((await outcomes[1])?.kind, 'output');
    assert.deepEqual(container.sessions[0]?.messages, [1, 1]);
    assert.equal(container.requests.length, 2);
  });

  it('do not send a call that is cancelled before the connection opens', async () => {
    await serve(echo);
    const sockets: Socket[] = [];
    const tunnel = createServer((socket) => sockets.push(socket.pause())).listen(0, '127.0.0.1');
    await once(tunnel, 'listening');
    const endpoint = `grpc://127.0.0.1:${(tunnel.address() as { port: number }).port}`;
    const call = (input: Uint8Array, timeoutMs: number): Promise<InvokeOutcome> =>
      pool.invoke(endpoint, nodeInvocation('Echo', input), within(timeoutMs));
    try {
      const waiting = call(numbered(2), 30_000);
      const given = await call(numbered(1), 100);
      assert.equal(given.kind === 'unreachable' && given.cause, 'connect');
      await until(() => sockets.length > 0);
      for (const socket of [...sockets]) {
        const onward = connect(container.port, '127.0.0.1');
        sockets.push(onward);
        socket.pipe(onward).pipe(socket);
      }
      assert.deepEqual(await waiting, { kind: 'output', bytes: numbered(2) });
      assert.deepEqual(
        container.requests.map(({ input }) => input),
        [numbered(2)],
      );
    } finally {
      for (const socket of sockets) socket.destroy();
      tunnel.close();
    }
  });

  describe('that break because they', () => {
    const breaks: [string, (container: ScriptedContainer) => void, RegExp][] = [
      [
        'fail with a status',
        ({ sessions }) => sessions[0]?.fail(status.INTERNAL, 'out of memory'),
        /^calling node: UNAVAILABLE: the session ended with INTERNAL: out of memory$/,
      ],
      [
        'are ended by the container',
        ({ sessions }) => sessions[0]?.end(),
        /^calling node: UNAVAILABLE: the container ended the session$/,
      ],
      [
        'receive invalid bytes',
        ({ sessions }) => sessions[0]?.sayBytes(Uint8Array.of(0xff, 0xff, 0xff)),
        /^calling node: UNAVAILABLE: the session ended with INTERNAL: the message is not a SessionResponse: /,
      ],
      [
        'end with UNIMPLEMENTED after replies',
        ({ sessions }) => sessions[0]?.fail(status.UNIMPLEMENTED, 'any more'),
        /^calling node: UNAVAILABLE: the session ended with UNIMPLEMENTED: any more$/,
      ],
    ];
    for (const [how, breakIt, message] of breaks) {
      it(`${how} fail their open calls, and the next call opens a new session`, async () => {
        let answering = true;
        await serve((answer, request) => {
          if (answering) echo(answer, request);
        });
        assert.equal((await invoke()).kind, 'output');
        answering = false;
        const open = Array.from({ length: 50 }, () => invoke());
        await until(() => container.requests.length === 51);
        breakIt(container);
        for (const outcome of await Promise.all(open)) {
          assert.ok(outcome.kind === 'unreachable' && outcome.cause === 'call', JSON.stringify(outcome));
          assert.match(outcome.message, message);
        }
        answering = true;
        assert.equal((await invoke()).kind, 'output');
        assert.equal(container.sessions.length, 2);
        assert.equal(container.requests.length, 52);
      });
    }
  });

  describe('are requested', () => {
    const again = async (options: ScriptOptions): Promise<void> => {
      const { port } = container;
      container.kill();
      await serve(
        (answer, request) => {
          echo(answer, request);
          if (options.way === 'Invoke') answer.end();
        },
        { port, ...options },
      );
      // The call is retried after about a second, within the time of the test.
      while ((await invoke()).kind !== 'output') await delay(50);
      assert.equal((await invoke()).kind, 'output');
    };
    const serveWithout = (): Promise<void> =>
      serve(
        (answer, request) => {
          echo(answer, request);
          answer.end();
        },
        { way: 'Invoke' },
      );

    it('once per connection, with Invoke as the fallback', async () => {
      await serveWithout();
      const outcomes = await Promise.all(Array.from({ length: 30 }, (_, index) => invoke(numbered(index))));
      assert.deepEqual(
        outcomes,
        Array.from({ length: 30 }, (_, index) => ({ kind: 'output', bytes: numbered(index) })),
      );
      await invoke();
      assert.equal(container.refusedSessions, 1);
      assert.equal(container.requests.length, 31);
    });

    it('again after a container with sessions replaces one without', async () => {
      await serveWithout();
      await invoke();
      await again({ way: 'Session' });
      assert.ok(container.requests.every(({ way }) => way === 'Session'));
    });

    it('with a fallback to Invoke after a container without sessions replaces one with', async () => {
      await serve(echo);
      await invoke();
      await again({ way: 'Invoke' });
      assert.equal(container.refusedSessions, 1);
    });
  });

  describe('end', () => {
    it('after the last replies when the container closes', async () => {
      await serve((answer, { input }) => {
        setTimeout(() => answer.say({ case: 'output', value: input }), 150);
      });
      const open = invoke();
      await until(() => container.requests.length === 1);
      const drained = container.drain();
      assert.equal((await open).kind, 'output');
      await drained;
      assert.equal(container.sessions[0]?.halfClosed, true);
      const outcome = await invoke();
      assert.equal(outcome.kind === 'unreachable' && outcome.cause, 'connect');
    });

    it('after the last replies when the pool closes', async () => {
      await serve((answer, { input }) => {
        setTimeout(() => answer.say({ case: 'output', value: input }), 150);
      });
      const open = invoke();
      await until(() => container.requests.length === 1);
      pool.close();
      assert.equal((await open).kind, 'output');
      await until(() => container.sessions[0]?.halfClosed === true);
    });

    it('after five minutes without calls', async () => {
      mock.timers.enable({ apis: ['setInterval'] });
      await serve(echo);
      await invoke();
      mock.timers.tick(300_000);
      await invoke();
      mock.timers.tick(300_000);
      await invoke();
      assert.equal(container.sessions.length, 1);
      mock.timers.tick(600_000);
      await until(() => container.sessions[0]?.halfClosed === true);
      await invoke();
      assert.equal(container.sessions.length, 2);
    });
  });
});
