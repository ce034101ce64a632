import assert from 'node:assert/strict';
import { endOf } from '../support/execution-records.ts';
import { type FlowService, startFlowService } from '../support/flow-service.ts';
import { type Answer, type Caller, eachService } from '../support/running-service.ts';
import { openSocket } from '../support/socket-client.ts';
import { step, twoSteps } from '../support/step-package.ts';
import { until } from '../support/until.ts';

/** Body of an answer. */
type Json = Answer['body'];

eachService('a run whose graph grows', (start) => {
  let flows: FlowService;
  let acme: Caller;
  /** Continues the node `a`, which waits for it while this is set. */
  let release: (() => void) | undefined;
  before(async () => {
    flows = await startFlowService(start);
    acme = flows.acme;
    flows.behaviours.set('a', (input, answer) => {
      const fragment = {
        nodes: [step('x', { node_name: 'Turn' })],
        edges: [
          { from: 'a', to: 'x' },
          { from: 'x', to: 'b', adapter: { text: 'text | upper' } },
        ],
      };
      const grow = (): void => {
        answer.say({ case: 'mutation', value: { fragmentJson: JSON.stringify(fragment) } });
      };
      if (release) {
        release = () => {
          grow();
          answer.say({ case: 'output', value: Buffer.from('\n\x01a') });
          answer.end();
        };
        return undefined;
      }
      grow();
      return { ...input, text: 'a' };
    });
  });
  after(() => flows.stop());

  const pathOf = (executionId: string): string => `/invocations/v1/executions/${executionId}`;
  const run = async (document: object): Promise<Json> => {
    const { status, body } = await flows.invoke(await flows.compile(document), { input: { text: '>' } });
    assert.equal(status, 202);
    await endOf(acme, body.execution_id as string);
    return body;
  };
  const growing = {
    name: 'Growing',
    mutation_enabled: true,
    edges: [{ from: 'a', to: 'b', condition: 'text == "never"' }],
  };

  it('records the mutation in its record and history, with decoded messages', async () => {
    const body = await run(twoSteps(growing));
    assert.equal(body.result.output.text, 'AXb');
    const record = (await acme.get(pathOf(body.execution_id))).body;
    assert.deepEqual([record.mutation_enabled, record.mutation_seq], [true, 1]);
    const { body: history } = await acme.get(`${pathOf(body.execution_id)}/events?decode=true`);
    const events = history.events as Json[];
    const [mutated] = events.filter(({ type }) => type === 'GRAPH_MUTATED');
    const { event_ulid: id, timestamp_ms: at, ...reported } = mutated ?? {};
    assert.ok(id && at);
    assert.deepEqual(reported, {
      type: 'GRAPH_MUTATED',
      execution_id: body.execution_id,
      node_id: 'a',
      node_name: 'a',
      instance_id: body.execution_id,
      mutation_seq: 1,
      added_nodes: ['x'],
      added_edges: [
        { id: 'a_x', from: 'a', to: 'x' },
        { id: 'x_b', from: 'x', to: 'b' },
      ],
    });
    // Its type differs from those of its neighbours: only the grown graph has it.
    const answered = events.find(({ type, node_id: node }) => type === 'NODE_COMPLETED' && node === 'x');
    assert.deepEqual(answered?.output, { text: 'ax' });
    const checkpoint = await acme.get(
      `${pathOf(body.execution_id)}/checkpoints/${record.latest_checkpoint_id}?decode=true`,
    );
    assert.deepEqual(
      checkpoint.body.completed.map((one: Json) => [one.node_id, one.output.text]),
      [
        ['a', 'a'],
        ['x', 'ax'],
        ['b', 'AXb'],
      ],
    );
  });

  it('sends decoded messages to followers that connected before it grew', async () => {
    const notCalled = (): void => undefined;
    release = notCalled;
    const invoked = await flows.invoke(await flows.compile(twoSteps(growing)), { wait: false });
    const id = String(invoked.body.execution_id);
    const url = `${flows.service.url}/invocations/v1/debug-stream?session_id=${id}&decode=true`;
    const client = await openSocket(url, { headers: { Authorization: `Bearer ${acme.key}` } });
    // The graph was needed for its input.
    await client.receives(2);
    await until(() => release !== notCalled);
    release();
    release = undefined;
    await client.closed;
    const events = client.received.slice(1).map((text): Json => JSON.parse(text));
    const { body: history } = await acme.get(`${pathOf(id)}/events?decode=true`);
    assert.deepEqual(events, history.events);
    assert.ok(events.some(({ node_id: node, output }) => node === 'x' && output !== undefined));
  });

  it('fails if the flow does not allow mutations', async () => {
    const body = await run(twoSteps({ ...growing, mutation_enabled: false }));
    assert.match(body.error_message, /compile it with mutation_enabled: true$/);
    const record = (await acme.get(pathOf(body.execution_id))).body;
    assert.deepEqual([record.status, record.mutation_enabled, record.mutation_seq], ['FAILED', false, 0]);
  });
});
