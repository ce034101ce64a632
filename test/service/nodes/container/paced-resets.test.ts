import assert from 'node:assert/strict';
import {
  type ContainerPool,
  createContainerPool,
} from '../../../../service/nodes/container/container-pool.ts';
import type { InvokeOutcome } from '../../../../service/nodes/container/invoke-outcome.ts';
import { nodeInvocation, within } from '../../../support/node-invocation.ts';
import { type ScriptedContainer, startScriptedContainer } from '../../../support/scripted-container.ts';
import { until } from '../../../support/until.ts';

/** More than a server on Node.js lets a client reset at once. */
const many = 1_300;

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
  /** Cancels them while another call is open. */
  const cancelMany = async (): Promise<Promise<InvokeOutcome>> => {
    const other = invoke(2);
    const aborters = Array.from({ length: many }, () => new AbortController());
    const outcomes = aborters.map(({ signal }) => invoke(1, signal));
    await until(() => container.requests.length === many + 1);
    for (const aborter of aborters) aborter.abort();
    for (const outcome of await Promise.all(outcomes)) {
      assert.equal(outcome.kind === 'unreachable' && outcome.cause, 'cancelled');
    }
    return other;
  };

  it('leave the other calls of its connection alone', async () => {
    const aborted = cancelMany();
    await until(() => cancelled >= 500);
    answerOther();
    assert.equal((await aborted).kind, 'output');
    // The rest follows slowly.
    const before = cancelled;
    await until(() => cancelled > before);
  });

  it('are all reset when the connection closes', async () => {
    const aborted = cancelMany();
    await until(() => cancelled >= 500);
    pool.close();
    await until(() => cancelled === many);
    container.kill();
    await aborted;
  });
});
