import assert from 'node:assert/strict';
import {
  type ContainerPool,
  createContainerPool,
} from '../../../../service/nodes/container/container-pool.ts';
import type { InvokeOutcome } from '../../../../service/nodes/container/invoke-outcome.ts';
import { nodeInvocation, within } from '../../../support/node-invocation.ts';
import { type ScriptedContainer, startScriptedContainer } from '../../../support/scripted-container.ts';
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
  /** Cancels so many calls while another one is open, which it returns. */
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

  it('leave the other calls of its connection alone', async () => {
    // More than a server on Node.js lets a client reset at once.
    const { open } = await cancelMany(1_300);
    await until(() => cancelled >= 500);
    answerOther();
    assert.equal((await open).kind, 'output');
    // The rest follows slowly.
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

  it('do not reach the container later if no connection has taken them', async () => {
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

  it('leave the other calls alone, too, if they are reset because the container breaks the protocol', async () => {
    const other = invoke(2);
    await until(() => container.requests.length === 1);
    const outcomes = await Promise.all(Array.from({ length: 1_300 }, () => invoke(3)));
    for (const outcome of outcomes) assert.equal(outcome.kind === 'unreachable' && outcome.cause, 'protocol');
    answerOther();
    assert.equal((await other).kind, 'output');
  });
});
