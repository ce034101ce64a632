import assert from 'node:assert/strict';
import { constants } from 'node:http2';
import {
  type ContainerPool,
  createContainerPool,
} from '../../../../service/nodes/container/container-pool.ts';
import { nodeInvocation, within } from '../../../support/node-invocation.ts';
import { startRawContainer } from '../../../support/raw-container.ts';
import {
  type Answer,
  type ScriptedContainer,
  startScriptedContainer,
} from '../../../support/scripted-container.ts';
import { startStreamContainer } from '../../../support/stream-container.ts';
import { until } from '../../../support/until.ts';

describe('the deadline of a call', () => {
  let pool: ContainerPool;
  let container: ScriptedContainer | undefined;
  beforeEach(() => {
    pool = createContainerPool({ allowedHosts: [{ host: '127.0.0.1' }] });
  });
  afterEach(() => {
    pool.close();
    container?.kill();
    container = undefined;
  });
  const echo = (answer: Answer, input: Uint8Array): void => {
    answer.say({ case: 'output', value: input });
    answer.end();
  };
  const near = (deadline: Date | number, expected: number): void => {
    const lateMs = Number(deadline) - expected;
    assert.ok(Math.abs(lateMs) <= 2_000, `the container sees a deadline ${lateMs} ms late`);
  };

  for (const timeoutMs of [20_000, 300_000, 3_600_000, 86_400_000]) {
    it(`is sent to the container: ${timeoutMs} ms`, async () => {
      const deadlines: (Date | number)[] = [];
      container = await startScriptedContainer((answer, { input }) => {
        deadlines.push(answer.deadline);
        echo(answer, input);
      });
      const { deadlineMs } = within(timeoutMs);
      const invocation = nodeInvocation('Echo', Uint8Array.of(1));
      assert.equal((await pool.invoke(container.endpoint, invocation, { deadlineMs })).kind, 'output');
      near(deadlines[0]!, deadlineMs);
    });
  }

  it('is sent to the container of a stream', async () => {
    const deadlines: (Date | number)[] = [];
    const streams = await startStreamContainer(({ call, say }) => {
      deadlines.push(call.getDeadline());
      say({ case: 'done', value: {} });
      call.end();
    });
    const { deadlineMs } = within(20_000);
    const { context } = nodeInvocation('Node', new Uint8Array());
    const stream = await pool.stream(streams.endpoint, context, { deadlineMs });
    assert.ok('next' in stream);
    assert.deepEqual(await stream.next(), { kind: 'done' });
    near(deadlines[0]!, deadlineMs);
    streams.kill();
  });

  it('ends calls and streams if the container does not enforce it', async () => {
    const ended: [string, number | undefined][] = [];
    const raw = await startRawContainer((stream, method) => {
      // It has no sessions.
      const unimplemented = { ':status': 200, 'content-type': 'application/grpc', 'grpc-status': '12' };
      if (method === 'Session') stream.respond(unimplemented, { endStream: true });
      else stream.on('close', () => ended.push([method, stream.rstCode]));
    });
    const invocation = nodeInvocation('Echo', Uint8Array.of(1));
    try {
      const outcome = await pool.invoke(raw.endpoint, invocation, within(500));
      assert.equal(outcome.kind === 'unreachable' && outcome.cause, 'deadline');
      const stream = await pool.stream(raw.endpoint, invocation.context, within(500));
      assert.ok('next' in stream);
      const event = await stream.next();
      assert.equal(event.kind === 'unreachable' && event.cause, 'deadline');
      await until(() => ended.length === 2);
      assert.deepEqual(ended, [
        ['Invoke', constants.NGHTTP2_CANCEL],
        ['Stream', constants.NGHTTP2_CANCEL],
      ]);
    } finally {
      await raw.stop();
    }
  });

  it('leaves no timer behind once the call is answered, cancelled or expired', async () => {
    container = await startScriptedContainer((answer, { input }) => {
      if (input[0] === 1) echo(answer, input);
    });
    const invoke = (input: number, timeoutMs: number, signal?: AbortSignal): Promise<{ kind: string }> =>
      pool.invoke(container!.endpoint, nodeInvocation('Echo', Uint8Array.of(input)), {
        ...within(timeoutMs),
        ...(signal && { signal }),
      });
    const timers = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
    await invoke(1, 50_000);
    const before = timers();
    const caller = new AbortController();
    const calls = Array.from({ length: 50 }, () => [
      invoke(1, 50_000),
      invoke(2, 200),
      invoke(2, 50_000, caller.signal),
    ]);
    assert.ok(timers() - before >= 100);
    setTimeout(() => caller.abort(), 200);
    await Promise.all(calls.flat());
    // The container has timers of its own until the resets arrive.
    await until(() => timers() - before <= 5);
  });
});
