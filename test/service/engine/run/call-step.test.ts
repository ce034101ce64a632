import assert from 'node:assert/strict';
import { systemClock } from '../../../../service/clock.ts';
import type { CompiledNode, ConfigProfile } from '../../../../service/engine/graph/compiled-graph.ts';
import { callStep } from '../../../../service/engine/run/call-step.ts';
import type { StepOutcome } from '../../../../service/engine/run/step-failure.ts';
import type { NodeCall, NodeCalls } from '../../../../service/nodes/call/node-calls.ts';
import { encodeInvocation } from '../../../../service/nodes/container/call-context.ts';
import { itSlow } from '../../../support/fast-run.ts';
import { assertTurn, watchTurns } from '../../../support/turn-watch.ts';

const node: CompiledNode = {
  id: 'placed',
  packageName: 'acme/steps',
  version: '1.0.0',
  nodeName: 'Step',
  nodeUlid: '',
  ownerTenantId: '',
  versionId: '',
  inputMessage: 'acme.Step',
  outputMessage: 'acme.Step',
  mode: 'unary',
  config: {},
  timeoutMs: 5_000,
  requiredSecrets: [],
};

interface Fan {
  steps: number;
  input: Uint8Array;
  config?: ConfigProfile;
  settings?: ConfigProfile;
  aborter?: AbortController;
  onSent?: (count: number) => void;
}

/** Calls the steps of a fan-out together, as a run does. Returns the steps that were sent, and the deadlines of their calls. */
async function fanOut({ steps, input, config = {}, settings = {}, aborter, onSent }: Fan) {
  const sent: number[] = [];
  const deadlines: number[] = [];
  /** A second passes with each call. */
  const now = (): number => sent.length * 1_000;
  const target = { endpoint: 'grpc://127.0.0.1:1', owner: 'acme', node: 'Step' };
  const calls = {
    findTarget: () => Promise.resolve(target),
    readSecrets: () => ({ ok: true, values: {} }),
    invoke: ({ origin, input: bytes, deadlineMs }: NodeCall) => {
      const { executionId, step, configJson } = origin;
      const names = { executionId, node: 'Step', packageName: 'acme/steps', packageVersion: '1.0.0' };
      const ids = { tenantId: 'acme', attempt: 1, idempotencyId: `${executionId}:${step}`, traceparent: '' };
      encodeInvocation({ context: { ...names, ...ids, deadlineMs, configJson }, input: bytes });
      deadlines.push(deadlineMs);
      sent.push(step);
      onSent?.(sent.length);
      return Promise.resolve({ kind: 'output', bytes: new Uint8Array() } as const);
    },
  };
  const { signal } = aborter ?? new AbortController();
  const outcomes = await Promise.all(
    Array.from({ length: steps }, (_, step): Promise<StepOutcome> =>
      callStep(
        { calls: calls as unknown as NodeCalls, clock: { ...systemClock, now } },
        {
          tenantId: 'acme',
          executionId: 'f'.repeat(32),
          node: { ...node, config: settings },
          step,
          attempt: 1,
          input,
          config,
          development: false,
          isPublic: false,
          signal,
          listener: {},
        },
      ),
    ),
  );
  return { sent, deadlines, outcomes };
}

describe('the calls of a fan-out', () => {
  const order = (length: number): number[] => Array.from({ length }, (_, step) => step);

  itSlow('yield to the event loop when each step receives a large message', async () => {
    const input = new Uint8Array(4_000_000);
    const watch = watchTurns();
    const { sent, deadlines } = await fanOut({ steps: 100, input });
    // It took 200 to 300.
    assertTurn(watch.stop(), 40);
    assert.deepEqual(sent, order(100));
    // The time of a step begins when it is called, not when it gets in line.
    assert.deepEqual(
      deadlines,
      order(100).map((step) => step * 1_000 + node.timeoutMs),
    );
  });

  itSlow('yield to the event loop when each step has its own config beside a large profile', async () => {
    const config = Object.fromEntries(order(12_000).map((n) => [`key${n}`, { a: n }]));
    const watch = watchTurns();
    const { sent } = await fanOut({
      steps: 60,
      input: new Uint8Array(),
      config,
      settings: { model: 'small' },
    });
    // It took 500.
    assertTurn(watch.stop(), 100);
    assert.deepEqual(sent, order(60));
  });

  it('stop waiting when the run is aborted', async () => {
    const aborter = new AbortController();
    const onSent = (count: number): void => {
      if (count === 3) aborter.abort();
    };
    const { sent, outcomes } = await fanOut({ steps: 10, input: new Uint8Array(20_000), aborter, onSent });
    assert.deepEqual(sent, order(3));
    const rest = outcomes.slice(3);
    assert.ok(rest.every((outcome) => outcome.kind === 'unreachable' && outcome.cause === 'cancelled'));
  });

  it('are all sent in one turn of the event loop if they are small', async () => {
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 0);
    let isLater = false;
    setImmediate(() => (isLater = true));
    const { sent } = await fanOut({ steps: 10, input: new Uint8Array(1_000) });
    clearInterval(timer);
    assert.deepEqual([sent, turns, isLater], [order(10), 0, false]);
  });
});
