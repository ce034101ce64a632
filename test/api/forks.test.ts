import assert from 'node:assert/strict';
import { status as grpc } from '@grpc/grpc-js';
import { approval, askHuman, pausedRun } from '../support/asking-flow.ts';
import { endOf } from '../support/execution-records.ts';
import { type FlowService, invokeFlow, startFlowService } from '../support/flow-service.ts';
import { type Answer, type Caller, eachService } from '../support/running-service.ts';
import { step } from '../support/step-package.ts';

const chain = {
  name: 'Chain',
  entry: 'a',
  terminal: 'z',
  nodes: [step('a'), step('m'), step('z')],
  edges: [
    { from: 'a', to: 'm' },
    { from: 'm', to: 'z' },
  ],
};

const branching = {
  ...chain,
  name: 'Branching',
  nodes: [...chain.nodes, step('n')],
  edges: [...chain.edges, { from: 'a', to: 'n' }, { from: 'n', to: 'z' }],
};

eachService('forks', (start) => {
  let flows: FlowService;
  let acme: Caller;
  let graph: string;
  let asking: string;
  before(async function () {
    this.timeout(180_000);
    flows = await startFlowService(start);
    acme = flows.acme;
    graph = await flows.compile(chain);
    asking = await flows.compile(approval);
  });
  after(() => flows.stop());
  beforeEach(() => askHuman(flows));

  let keys = 0;
  const completed = async (graphId = graph): Promise<string> => {
    keys += 1;
    const { body } = await invokeFlow(acme, graphId, {
      idempotency_key: `run ${keys}`,
      input: { text: '>' },
    });
    assert.equal(body.result.success, true, JSON.stringify(body));
    return body.execution_id as string;
  };
  const fork = (executionId: string, body: unknown = {}, caller = acme): Promise<Answer> =>
    caller.post(`/invocations/v1/executions/${executionId}/fork`, body);
  const recordOf = async (executionId: string): Promise<Record<string, unknown>> =>
    (await acme.get(`/invocations/v1/executions/${executionId}`)).body;
  const eventsOf = async (executionId: string): Promise<Record<string, unknown>[]> =>
    (await acme.get(`/invocations/v1/executions/${executionId}/events?decode=true`)).body.events;

  it('are runs with a parent, a history and a checkpoint', async () => {
    const parent = await completed();
    const { status, body } = await fork(parent, { checkpoint_id: `${parent}-1`, wait: true });
    assert.equal(status, 202);
    const { execution_id: child, result, ...rest } = body;
    assert.deepEqual(rest, { accepted: true, forked_from_execution_id: parent });
    assert.deepEqual([result.success, result.output], [true, { text: '>amz' }]);
    const record = await recordOf(child);
    assert.equal(record.forked_from_execution_id, parent);
    assert.equal(record.lineage_root_execution_id, null);
    const [before, after] = [await eventsOf(parent), await eventsOf(child)];
    const seen = (events: Record<string, unknown>[]) =>
      events.map(({ type, node_id: node, input, output }) => ({ type, node, input, output }));
    assert.deepEqual(seen(after), seen(before));
    assert.ok(
      after.every(({ execution_id: id, instance_id: branch = child }) => id === child && branch === child),
    );
    const all = [...before, ...after].map(({ event_ulid: id }) => id);
    assert.equal(new Set(all).size, all.length);
    const checkpoint = await acme.get(
      `/invocations/v1/executions/${child}/checkpoints/${child}-2?decode=true`,
    );
    assert.equal(checkpoint.body.reason, 'fork');
    assert.deepEqual(checkpoint.body.pending, ['m']);
    assert.deepEqual(checkpoint.body.completed, [{ node_id: 'a', output: { text: '>a' } }]);
    const listed = (await acme.get('/invocations/v1/executions?limit=1')).body.executions;
    assert.equal(listed[0].forked_from_execution_id, parent);
  });

  it('end a paused parent and cancel its pause', async () => {
    const { executionId, pauseId } = await pausedRun(acme, asking);
    const { body } = await fork(executionId, { wait: true });
    assert.equal(body.execution_status, 'PAUSED');
    assert.notEqual(body.pause_id, pauseId);
    const child = body.execution_id as string;
    const parent = await recordOf(executionId);
    assert.equal(parent.status, 'FORKED');
    assert.ok(parent.completed_at);
    const [forked, failed] = (await eventsOf(executionId)).slice(-2);
    assert.equal(forked?.type, 'FORKED');
    assert.equal(forked.forked_to_execution_id, child);
    const checkpointId = String(forked.checkpoint_id);
    assert.deepEqual(
      (await acme.get(`/invocations/v1/executions/${executionId}/checkpoints/${checkpointId}`)).body.reason,
      'pause',
    );
    assert.deepEqual(
      [failed?.type, failed?.error],
      ['FLOW_FAILED', `execution forked: ${child} continues it`],
    );
    const [cancelled] = (await acme.get(`/invocations/v1/executions/${executionId}/pauses`)).body.pauses;
    assert.equal(cancelled.status, 'CANCELLED');
    const resume = (id: string, pause: string) =>
      acme.post(`/invocations/v1/flows/${id}/resume`, { pause_id: pause, value: { text: 'go' } });
    const late = await resume(executionId, pauseId);
    assert.deepEqual([late.status, late.body.error], [409, 'PAUSE_NOT_WAITING']);
    const listed = (await acme.get(`/invocations/v1/executions/${child}/pauses`)).body.pauses;
    assert.deepEqual(
      listed.map((pause: Record<string, unknown>) => [pause.pause_id, pause.status, pause.interrupt_payload]),
      [[body.pause_id, 'WAITING', { question: 'go?' }]],
    );
    assert.equal((await resume(child, body.pause_id as string)).body.already_resumed, false);
    await endOf(acme, child);
    assert.deepEqual((await eventsOf(child)).at(-1)?.output, { text: 'goz' });
    // The history of a fork after the decision contains it, but its pause belongs to the parent.
    const behind = (await fork(child, { wait: true })).body.execution_id as string;
    const resumed = (await eventsOf(behind)).filter(({ type }) => type === 'HITL_RESUMED');
    assert.deepEqual(
      resumed.map(({ pause_id: id }) => id),
      [body.pause_id],
    );
    assert.deepEqual((await acme.get(`/invocations/v1/executions/${behind}/pauses`)).body.pauses, []);
  });

  it('have the attempts that remain at their checkpoint', async () => {
    let calls = 0;
    flows.behaviours.set('m', (_input, answer) => {
      calls += 1;
      answer.fail(grpc.INTERNAL, 'broken');
      return undefined;
    });
    const retry = { max_attempts: 2, initial_ms: 1, max_ms: 1 };
    const stubborn = await flows.compile({
      ...chain,
      name: 'Stubborn',
      nodes: [step('a'), step('m', { retry }), step('z')],
    });
    const { body } = await invokeFlow(acme, stubborn, { input: {} });
    const parent = body.execution_id as string;
    assert.equal(calls, 2);
    const callsOf = async (checkpoint: object): Promise<number> => {
      calls = 0;
      const answer = await fork(parent, { ...checkpoint, wait: true });
      assert.equal(answer.body.result.success, false);
      return calls;
    };
    assert.equal(await callsOf({}), 1);
    assert.equal(await callsOf({ checkpoint_id: `${parent}-1` }), 2);
    flows.behaviours.delete('m');
  });

  it('accept an input or a payload, and return the same form', async () => {
    const parent = await completed();
    const asJson = await fork(parent, { checkpoint_id: `${parent}-1`, input: { text: 'x' }, wait: true });
    assert.deepEqual(asJson.body.result.output, { text: 'xmz' });
    const payload = Buffer.from([0x0a, 0x01, 0x78]).toString('base64');
    const asBytes = await fork(parent, { checkpoint_id: `${parent}-1`, payload, wait: true });
    assert.equal(Buffer.from(asBytes.body.result.payload as string, 'base64').toString(), '\n\u0003xmz');
    const both = await fork(parent, { checkpoint_id: `${parent}-0`, input: null, wait: true });
    assert.deepEqual(both.body.result.output, { text: '>amz' });
  });

  it('are deduplicated by request and by idempotency key', async () => {
    const parent = await completed();
    const twice = [await fork(parent), await fork(parent)];
    assert.equal(twice[0]!.body.execution_id, twice[1]!.body.execution_id);
    const replay = ({ headers }: Answer): (string | null)[] =>
      ['idempotency-replayed', 'idempotency-mismatch'].map((name) => headers.get(name));
    assert.deepEqual(twice.map(replay), [
      [null, null],
      ['true', null],
    ]);
    const other = await fork(parent, { checkpoint_id: `${parent}-0` });
    assert.deepEqual(replay(other), [null, null]);
    assert.notEqual(other.body.execution_id, twice[0]!.body.execution_id);
    const keyed = await fork(parent, { idempotency_key: `run ${keys}` });
    // The key has started a run that is not a fork.
    assert.deepEqual([keyed.body.execution_id, keyed.body.forked_from_execution_id], [parent, null]);
    assert.deepEqual(replay(keyed), ['true', 'execution_id']);
  });

  it('are refused with a reason', async () => {
    const parent = await completed();
    const stranger = await flows.service.tenant('globex');
    const branched = (await invokeFlow(acme, await flows.compile(branching), { idempotency_key: 'branched' }))
      .body;
    const { executions } = (await acme.get('/invocations/v1/executions?branches=true')).body;
    const branch = executions.find(
      (each: Record<string, unknown>) => each.lineage_root_execution_id === branched.execution_id,
    );
    const refusals: [string, Answer, unknown[]][] = [
      ['unknown', await fork('0'.repeat(32)), [404, 'EXECUTION_NOT_FOUND']],
      ['foreign', await fork(parent, {}, stranger), [404, 'EXECUTION_NOT_FOUND']],
      ['later', await fork(parent, { checkpoint_id: `${parent}-9` }), [404, 'CHECKPOINT_NOT_FOUND']],
      ['other', await fork(parent, { checkpoint_id: `${'0'.repeat(32)}-1` }), [404, 'CHECKPOINT_NOT_FOUND']],
      ['branch', await fork(branch.execution_id as string), [409, 'EXECUTION_NOT_FORKABLE']],
      [
        'unfit',
        await fork(parent, { checkpoint_id: `${parent}-1`, input: { nope: 1 } }),
        [400, 'INVALID_ARGUMENT'],
      ],
      [
        'branches',
        await fork(branched.execution_id as string, {
          checkpoint_id: `${String(branched.execution_id)}-1`,
          input: {},
        }),
        [400, 'INVALID_ARGUMENT'],
      ],
      ['profile', await fork(parent, { config_id: 'none' }), [404, 'not_found']],
    ];
    for (const [name, { status, body }, expected] of refusals) {
      assert.deepEqual([status, body.error], expected, `${name}: ${JSON.stringify(body)}`);
    }
    const [, unfit] = refusals.find(([name]) => name === 'unfit')!;
    assert.match(unfit.body.message as string, /^invalid JSON for acme.steps.v1.Step: unknown field "nope"/);
    assert.equal((await acme.post('/invocations/v1/nodes/acme/steps/1.0.0/Step', {})).status, 200);
    const direct = (await acme.get('/invocations/v1/executions?limit=1')).body.executions[0];
    const notARun = await fork(direct.execution_id as string);
    assert.deepEqual(
      [notARun.status, notARun.body.message],
      [409, 'the execution is a call of a node: call the node again'],
    );
    const wrong = await fork(parent, { checkpoint_id: 7 });
    assert.deepEqual([wrong.status, wrong.body.error_message !== undefined], [400, true]);
  });
});
