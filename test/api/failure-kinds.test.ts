import assert from 'node:assert/strict';
import { status as grpc } from '@grpc/grpc-js';
import { limits } from '../../specs/limits.ts';
import { endOf } from '../support/execution-records.ts';
import { itSlow } from '../support/fast-run.ts';
import { type FlowService, invokeFlow, startFlowService } from '../support/flow-service.ts';
import { step, twoSteps } from '../support/step-package.ts';

type Event = Record<string, unknown>;

describe('the failure kind of a run', () => {
  let flows: FlowService;
  before(async () => {
    flows = await startFlowService();
  });
  after(() => flows.stop());
  afterEach(() => flows.behaviours.clear());

  const one = (fields: Record<string, unknown> = {}) => ({
    name: 'One step',
    entry: 'a',
    terminal: 'a',
    nodes: [step('a', fields)],
    edges: [],
  });
  let invocations = 0;
  /** Identical requests without separate keys would start one run. */
  const ownKey = () => ({ 'Idempotency-Key': String((invocations += 1)) });
  const eventsOf = async (executionId: string): Promise<Event[]> => {
    await endOf(flows.acme, executionId);
    const { body } = await flows.acme.get(
      `/invocations/v1/executions/${executionId}/events?limit=1000&event_type=NODE_FAILED&event_type=FLOW_FAILED`,
    );
    return body.events as Event[];
  };
  /** The kinds of the failed nodes, then of the flow. */
  const kindsOf = async (document: object, input: object = {}): Promise<unknown[]> => {
    const { body } = await flows.invoke(
      await flows.compile(document),
      { input, timeout_seconds: 240 },
      ownKey(),
    );
    const events = await eventsOf(body.execution_id as string);
    assert.equal(events.at(-1)?.type, 'FLOW_FAILED', JSON.stringify(body));
    return events.map((event) => event.failure_kind);
  };
  const failing = (message: string) =>
    flows.behaviours.set('a', (_input, answer) => {
      answer.say({ case: 'error', value: { message } });
      answer.end();
      return undefined;
    });

  it('is NODE_ERROR for an error of the node or of its mock', async () => {
    failing('no');
    assert.deepEqual(await kindsOf(one()), ['NODE_ERROR', 'NODE_ERROR']);
    assert.deepEqual(await kindsOf(one({ mock: { error: 'no' } })), ['NODE_ERROR', 'NODE_ERROR']);
  });

  it('is NODE_UNREACHABLE for a broken call', async () => {
    flows.behaviours.set('a', (_input, answer) => {
      answer.fail(grpc.INTERNAL, 'broken');
      return undefined;
    });
    assert.deepEqual(await kindsOf(one()), ['NODE_UNREACHABLE', 'NODE_UNREACHABLE']);
  });

  itSlow('is NODE_TIMEOUT for a node that does not answer', async () => {
    flows.behaviours.set('a', () => undefined);
    assert.deepEqual(await kindsOf(one({ timeout_seconds: 1 })), ['NODE_TIMEOUT', 'NODE_TIMEOUT']);
  });

  it('is INPUT_INVALID for an input that does not match its type', async () => {
    assert.deepEqual(await kindsOf(one(), { unknown: 1 }), ['INPUT_INVALID']);
  });

  const answering = (node: string, ...bytes: number[]) =>
    flows.behaviours.set(node, (_input, answer) => {
      answer.say({ case: 'output', value: Uint8Array.from(bytes) });
      answer.end();
      return undefined;
    });

  it('is OUTPUT_INVALID for an output that is not a message of its type, even with retries', async () => {
    // A string of five bytes, truncated after the first.
    answering('a', 0x0a, 5, 0x61);
    const retry = { max_attempts: 3, initial_ms: 1, factor: 1, max_ms: 1 };
    assert.deepEqual(await kindsOf(one({ retry })), ['OUTPUT_INVALID', 'OUTPUT_INVALID']);
    const [record] = (await flows.acme.get('/invocations/v1/executions?limit=1')).body.executions;
    assert.equal(record.failed_node_name, 'a');
    assert.match(record.error_message, /^calling node: cannot read the bytes as acme\.steps\.v1\.Step: /);
  });

  it('is absent for an output with undeclared fields or without a JSON form', async () => {
    const run = async (document: object) =>
      (await flows.invoke(await flows.compile(document), {}, ownKey())).body.result;
    // Field 15.
    answering('a', 0x78, 1);
    assert.partialDeepStrictEqual(await run(one()), { success: true, output: {} });
    const published = await flows.acme.post('/api/v1/packages', {
      name: 'acme/any',
      version: '1.0.0',
      endpoint: flows.container.endpoint,
      protos: {
        'any.proto':
          'syntax = "proto3"; package acme.any; import "google/protobuf/any.proto"; message M { google.protobuf.Any any = 1; }',
      },
      nodes: [{ name: 'Pass', input: 'acme.any.M', output: 'acme.any.M' }],
    });
    assert.equal(published.status, 201, JSON.stringify(published.body));
    // An Any of the type x/y, which is unknown.
    const unknown = [0x0a, 5, 0x0a, 3, 0x78, 0x2f, 0x79];
    answering('a', ...unknown);
    const passing = one({ package: 'acme/any', node_name: 'Pass' });
    const payload = Buffer.from(unknown).toString('base64');
    assert.partialDeepStrictEqual(await run(passing), { success: true, payload });
  });

  it('is EDGE_ADAPTER or EDGE_CONDITION for an edge', async () => {
    const adapter = { edges: [{ from: 'a', to: 'b', adapter: { text: 'text | split(",", 3)' } }] };
    assert.deepEqual(await kindsOf(twoSteps(adapter)), ['EDGE_ADAPTER']);
    const condition = { edges: [{ from: 'a', to: 'b', condition: 'words[3] == "x"' }] };
    assert.deepEqual(await kindsOf(twoSteps(condition)), ['EDGE_CONDITION']);
  });

  itSlow('is STEP_LIMIT after too many steps', async () => {
    flows.behaviours.set('a', () => ({}));
    const loop = { ...one(), edges: [{ from: 'a', to: 'a', condition: 'true' }] };
    assert.deepEqual(await kindsOf(loop), ['STEP_LIMIT']);
  }).timeout(300_000);

  it('is JOIN for a branch that fails before its join, and QUOTA for a branch over the quota', async () => {
    const forked = {
      name: 'Forked',
      entry: 'start',
      terminal: 'end',
      nodes: [
        step('start'),
        step('a'),
        step('c'),
        step('end', { join: { policy: 'all', on_error: 'abort' } }),
      ],
      edges: [
        { from: 'start', to: 'a' },
        { from: 'start', to: 'c' },
        { from: 'a', to: 'end' },
        { from: 'c', to: 'end' },
      ],
    };
    failing('no');
    assert.deepEqual(await kindsOf(forked), ['NODE_ERROR', 'JOIN']);
    const [record] = (await flows.acme.get('/invocations/v1/executions?limit=1')).body.executions;
    assert.deepEqual(
      [record.failure_kind, record.failed_node_name, record.error_message],
      ['JOIN', 'a', 'downstream join end failed: no'],
    );
    const poor = await flows.tenant('globex', { dailyExecutions: 2 });
    const { body: compiled } = await poor.post('/api/v1/graphs/compile', {
      ...forked,
      nodes: forked.nodes.map((node) => ({ ...node, package: 'globex/steps' })),
    });
    const { body } = await invokeFlow(poor, compiled.graph_id as string);
    const { body: history } = await poor.get(`/invocations/v1/executions/${body.execution_id}/events`);
    assert.deepEqual(
      [history.events.at(-1).error, history.events.at(-1).failure_kind],
      ['parallel branch: daily executions quota exceeded (cap 2)', 'QUOTA'],
    );
  });

  it('is CANCELLED for a cancelled run', async () => {
    const called = new Promise<void>((resolve) => {
      flows.behaviours.set('a', () => {
        resolve();
      });
    });
    const { body } = await flows.invoke(await flows.compile(one()), { wait: false }, ownKey());
    await called;
    await flows.acme.post(`/invocations/v1/executions/${body.execution_id}/cancel`);
    const events = await eventsOf(body.execution_id as string);
    assert.deepEqual(
      events.map((event) => [event.type, event.failure_kind]),
      [['FLOW_FAILED', 'CANCELLED']],
    );
  });

  it('is absent if no kind describes the cause', async () => {
    const nowhere = { edges: [{ from: 'a', to: 'b', condition: 'false' }] };
    assert.deepEqual(await kindsOf(twoSteps(nowhere)), [undefined]);
  });

  it('comes with an error text truncated to 64 KiB', async () => {
    failing('ж'.repeat(limits.nodeErrorBytes));
    const { body } = await flows.invoke(await flows.compile(one()), {}, ownKey());
    const expected = `${'ж'.repeat(limits.nodeErrorBytes / 2)} … [cut: the text has ${limits.nodeErrorBytes * 2} bytes]`;
    assert.equal(body.error_message, expected);
    const events = await eventsOf(body.execution_id as string);
    assert.deepEqual(
      events.map((event) => event.error === expected),
      [true, true],
    );
  });
});
