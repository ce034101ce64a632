import assert from 'node:assert/strict';
import { type ApiTarget, UnreachableError } from '../../../service/cli/api-client.ts';
import type { ExecutionEvent } from '../../../service/cli/event-line.ts';
import { eventPages } from '../../../service/cli/event-pages.ts';
import { followExecution } from '../../../service/cli/follow-execution.ts';
import { approval, askHuman, pausedRun } from '../../support/asking-flow.ts';
import { type CuttingProxy, startCuttingProxy } from '../../support/cutting-proxy.ts';
import { itSlow } from '../../support/fast-run.ts';
import { type FlowService, invokeFlow, startFlowService } from '../../support/flow-service.ts';
import { step } from '../../support/step-package.ts';
import { until } from '../../support/until.ts';

/** A loop that ends after 400 steps, with more events than a new follower receives from the past. */
const long = {
  name: 'Long',
  entry: 'a',
  terminal: 'z',
  nodes: [step('a'), step('z')],
  edges: [
    { from: 'a', to: 'a', condition: 'size(text) < 400' },
    { from: 'a', to: 'z', condition: 'size(text) >= 400' },
  ],
};

describe('following an execution', () => {
  let flows: FlowService;
  let proxy: CuttingProxy;
  let target: ApiTarget;
  let graphId: string;
  before(async () => {
    flows = await startFlowService();
    askHuman(flows);
    graphId = await flows.compile(approval);
    proxy = await startCuttingProxy(flows.service.url);
    target = { url: proxy.url, key: flows.acme.key };
  });
  afterEach(() => {
    proxy.refuse(false);
  });
  after(async () => {
    await proxy.stop();
    await flows.stop();
  });

  /** Follows in the background. */
  function follow(id: string, as = target) {
    const events: ExecutionEvent[] = [];
    const failures: Error[] = [];
    const ended = (async () => {
      for await (const event of followExecution(as, id, (failure) => failures.push(failure)))
        events.push(event);
    })();
    ended.catch(() => undefined);
    const waits = () => until(() => events.some(({ type }) => type === 'HITL_PAUSED'));
    return { events, failures, ended, waits };
  }
  async function history(id: string): Promise<string[]> {
    const ids: string[] = [];
    for await (const { events } of eventPages(target, id))
      ids.push(...events.map((event) => event.event_ulid));
    return ids;
  }
  const idsOf = (events: readonly ExecutionEvent[]): string[] => events.map((event) => event.event_ulid);
  const resume = async (executionId: string, pauseId: string): Promise<void> => {
    const path = `/invocations/v1/flows/${executionId}/resume`;
    assert.equal((await flows.acme.post(path, { pause_id: pauseId, value: { text: 'go' } })).status, 200);
  };

  itSlow('yields every event of a long run once, in order', async () => {
    const answer = await invokeFlow(flows.acme, await flows.compile(long));
    const { execution_id: id } = answer.body as { execution_id: string };
    const { events, ended } = follow(id);
    await ended;
    const all = await history(id);
    assert.ok(all.length > 1_000, String(all.length));
    assert.deepEqual(idsOf(events), all);
    assert.equal(events.at(-1)?.type, 'FLOW_COMPLETED');
  });

  it('continues across a pause, to the last event', async () => {
    const { executionId, pauseId } = await pausedRun(flows.acme, graphId);
    const { events, failures, ended, waits } = follow(executionId);
    await waits();
    await resume(executionId, pauseId);
    await ended;
    assert.deepEqual(failures, []);
    assert.equal(events.at(-1)?.type, 'FLOW_COMPLETED');
    assert.deepEqual(idsOf(events), await history(executionId));
  });

  it('reconnects after lost connections without missing events', async () => {
    const { executionId, pauseId } = await pausedRun(flows.acme, graphId);
    const { events, failures, ended, waits } = follow(executionId);
    await waits();
    const connections = proxy.count();
    proxy.refuse(true);
    proxy.cut();
    await until(() => failures.length > 0);
    await resume(executionId, pauseId);
    await until(() => proxy.count() > connections);
    proxy.refuse(false);
    await ended;
    assert.ok(failures.every((failure) => failure instanceof UnreachableError));
    assert.deepEqual(idsOf(events), await history(executionId));
    assert.equal(events.at(-1)?.type, 'FLOW_COMPLETED');
  });

  it('fails immediately for an unknown execution or an unreachable service', async () => {
    const unknown = follow('lost');
    await assert.rejects(
      unknown.ended,
      /^CliError: execution "lost": execution not found: run svc execution list/,
    );
    proxy.refuse(true);
    proxy.cut();
    const alone = follow('lost');
    await assert.rejects(alone.ended, UnreachableError);
    assert.deepEqual([unknown.failures, alone.failures], [[], []]);
  });
});
