import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { StreamEvent } from '../../../../service/nodes/container/call-stream.ts';
import {
  type ContainerPool,
  createContainerPool,
} from '../../../../service/nodes/container/container-pool.ts';
import type { InvokeOutcome } from '../../../../service/nodes/container/invoke-outcome.ts';
import { createPacedResets } from '../../../../service/nodes/container/paced-resets.ts';
import { nodeInvocation, within } from '../../../support/node-invocation.ts';
import { type ScriptedContainer, startScriptedContainer } from '../../../support/scripted-container.ts';
import { startStreamContainer } from '../../../support/stream-container.ts';
import { until } from '../../../support/until.ts';

describe('many cancelled calls of a container without sessions', function () {
  this.timeout(60_000);
  let pool: ContainerPool;
  let container: ScriptedContainer;
  let cancelled: number;
  let answerOther: () => void;
  beforeEach(async () => {
    cancelled = 0;
    container = await startScriptedContainer((answer, { input }) => {
      if (input[0] === 1) {
        answer.onCancelled(() => (cancelled += 1));
        return;
      }
      if (input[0] === 3) {
        // Nothing may follow an output.
        for (const value of [input, input]) answer.say({ case: 'output', value });
        return;
      }
      if (input[0] === 4) {
        answer.sayBytes(Uint8Array.of(255));
        return;
      }
      answerOther = () => {
        answer.say({ case: 'output', value: input });
        answer.end();
      };
    });
    pool = createContainerPool({ allowedHosts: [{ host: '127.0.0.1' }] });
  });
  afterEach(() => {
    pool.close();
    container.kill();
  });

  const invoke = (input: number, signal?: AbortSignal): Promise<InvokeOutcome> =>
    pool.invoke(container.endpoint, nodeInvocation('Echo', Uint8Array.of(input)), {
      ...within(50_000),
      ...(signal && { signal }),
    });
  /** Cancels the given number of calls while another one is open, which it returns. */
  const cancelMany = async (many: number): Promise<{ open: Promise<InvokeOutcome> }> => {
    const other = invoke(2);
    const aborters = Array.from({ length: many }, () => new AbortController());
    const outcomes = aborters.map(({ signal }) => invoke(1, signal));
    await until(() => container.requests.length === many + 1);
    for (const aborter of aborters) aborter.abort();
    for (const outcome of await Promise.all(outcomes)) {
      assert.equal(outcome.kind === 'unreachable' && outcome.cause, 'cancelled');
    }
    return { open: other };
  };

  it('do not affect other calls of their connection', async () => {
    // More than a server on Node.js lets a client reset at once.
    const { open } = await cancelMany(1_300);
    await until(() => cancelled >= 500);
    answerOther();
    assert.equal((await open).kind, 'output');
    // The remaining resets follow slowly.
    const before = cancelled;
    await until(() => cancelled > before);
  });

  it('are all reset, even if the connection closes meanwhile', async () => {
    const { open } = await cancelMany(520);
    await until(() => cancelled >= 500);
    pool.close();
    await until(() => cancelled === 520);
    answerOther();
    assert.equal((await open).kind, 'output');
  });

  it('never reach the container if they were cancelled before the connection opened', async () => {
    // Too large for a session, and the connection is not yet open.
    const large = new Uint8Array(65_537);
    large[0] = 1;
    const aborters = Array.from({ length: 520 }, () => new AbortController());
    const outcomes = aborters.map(({ signal }) =>
      pool.invoke(container.endpoint, nodeInvocation('Echo', large), { ...within(50_000), signal }),
    );
    for (const aborter of aborters) aborter.abort();
    for (const outcome of await Promise.all(outcomes)) {
      assert.equal(outcome.kind === 'unreachable' && outcome.cause, 'cancelled');
    }
    const last = invoke(2);
    await until(() => container.requests.some(({ input }) => input[0] === 2));
    answerOther();
    assert.equal((await last).kind, 'output');
    assert.equal(container.requests.length, 1);
  });

  for (const [title, input, cause] of [
    ['the container breaks the protocol', 3, 'protocol'],
    ['the container sends bytes that are not a message', 4, 'call'],
  ] satisfies [string, number, string][]) {
    it(`do not affect other calls when reset because ${title}`, async () => {
      const other = invoke(2);
      await until(() => container.requests.length === 1);
      const outcomes = await Promise.all(Array.from({ length: 1_300 }, () => invoke(input)));
      for (const outcome of outcomes) assert.equal(outcome.kind === 'unreachable' && outcome.cause, cause);
      // Until the container has received the resets that are not paced.
      await delay(500);
      answerOther();
      assert.equal((await other).kind, 'output');
    });
  }

  it('do not affect other calls when their deadline passes', async () => {
    const other = invoke(2);
    const outcomes = await Promise.all(
      Array.from({ length: 1_300 }, () =>
        pool.invoke(container.endpoint, nodeInvocation('Echo', Uint8Array.of(1)), within(3_000)),
      ),
    );
    assert.equal(container.requests.length, 1_301);
    for (const outcome of outcomes) {
      assert.equal(outcome.kind === 'unreachable' && outcome.cause, 'deadline');
      assert.match((outcome as { message: string }).message, /^calling node: no answer within \d+ ms$/);
    }
    // The container learns of all of them: it ends those that svc resets later itself.
    await until(() => cancelled === 1_300);
    answerOther();
    assert.equal((await other).kind, 'output');
  });
});

describe('calls that wait for a free stream of their connection', () => {
  it('do not reach the container after their deadline', async () => {
    let answers: (() => void)[] = [];
    const container = await startScriptedContainer(
      (answer, { input: value }) => {
        answers.push(() => {
          answer.say({ case: 'output', value });
          answer.end();
        });
      },
      { maxOpenCalls: 5 },
    );
    const pool = createContainerPool({ allowedHosts: [{ host: '127.0.0.1' }] });
    const invoke = (timeoutMs = 50_000): Promise<InvokeOutcome> =>
      pool.invoke(container.endpoint, nodeInvocation('Echo', new Uint8Array()), within(timeoutMs));
    const answered = async (calls: Promise<InvokeOutcome>[]): Promise<void> => {
      await until(() => answers.length === calls.length);
      for (const answer of answers) answer();
      answers = [];
      for (const outcome of await Promise.all(calls)) assert.equal(outcome.kind, 'output');
    };
    try {
      // The first call learns that the container has no sessions.
      await answered([invoke()]);
      const open = Array.from({ length: 5 }, () => invoke());
      await until(() => answers.length === 5);
      // More than are reset at once.
      for (const outcome of await Promise.all(Array.from({ length: 600 }, () => invoke(1_000)))) {
        assert.match(
          outcome.kind === 'unreachable' ? outcome.message : outcome.kind,
          /^calling node: no answer within \d+ ms$/,
        );
      }
      await answered(open);
      await answered([invoke()]);
      assert.equal(container.requests.length, 7);
    } finally {
      pool.close();
      container.kill();
    }
  });
});

describe('many streams of one container', function () {
  this.timeout(60_000);
  for (const [title, timeoutMs, giveUp] of [
    ['that are cancelled', 50_000, (aborters) => aborters.forEach((aborter) => aborter.abort())],
    ['whose deadline passes', 3_000, () => undefined],
  ] satisfies [string, number, (aborters: AbortController[]) => void][]) {
    it(`${title} do not affect other streams of their connection`, async () => {
      let opened = 0;
      let endOther = (): void => undefined;
      const container = await startStreamContainer(({ call, say }) => {
        opened += 1;
        if (opened > 1) return;
        endOther = () => {
          say({ case: 'done', value: {} });
          call.end();
        };
      });
      const pool = createContainerPool({ allowedHosts: [{ host: '127.0.0.1' }] });
      const { context } = nodeInvocation('Node', new Uint8Array());
      const next = async (limitMs: number, signal?: AbortSignal): Promise<StreamEvent> => {
        const options = { ...within(limitMs), ...(signal && { signal }) };
        const stream = await pool.stream(container.endpoint, context, options);
        assert.ok('next' in stream);
        return stream.next();
      };
      try {
        const other = next(50_000);
        await until(() => opened === 1);
        const aborters = Array.from({ length: 1_300 }, () => new AbortController());
        const events = aborters.map(({ signal }) => next(timeoutMs, signal));
        await until(() => opened === 1_301);
        giveUp(aborters);
        for (const event of await Promise.all(events)) {
          assert.match(event.kind === 'unreachable' ? event.cause : event.kind, /^(deadline|cancelled)$/);
        }
        // Until the container has received the resets that are not paced.
        await delay(500);
        endOther();
        assert.deepEqual(await other, { kind: 'done' });
      } finally {
        pool.close();
        container.kill();
      }
    });
  }
});

describe('the resets of a connection', () => {
  it('limit the number of waiting calls, and keep their order', () => {
    const resets = createPacedResets();
    const cancelled: number[] = [];
    const reset = (call: number): void => resets.reset({ cancel: () => cancelled.push(call) });
    for (let call = 0; call < 5_500; call += 1) reset(call);
    assert.ok(cancelled.length >= 500 && cancelled.length < 600, `${cancelled.length} of 5,500`);
    for (let call = 5_500; call < 25_500; call += 1) reset(call);
    assert.ok(cancelled.length >= 20_500, `${cancelled.length} of 25,500`);
    assert.deepEqual(cancelled, [...cancelled.keys()]);
  });
});
