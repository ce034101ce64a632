import assert from 'node:assert/strict';
import { status as grpc } from '@grpc/grpc-js';
import { pino } from 'pino';
import { endOf } from '../support/execution-records.ts';
import { type FlowService, startFlowService } from '../support/flow-service.ts';
import { eachService } from '../support/running-service.ts';
import { step, stepPackage, twoSteps } from '../support/step-package.ts';

const callStep = '/invocations/v1/nodes/acme/steps/1.0.0/Step';

eachService('a failed execution', (start) => {
  let flows: FlowService;
  let lines: Record<string, unknown>[];
  before(async () => {
    const logger = pino(
      { level: 'warn', base: null },
      { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) },
    );
    lines = [];
    flows = await startFlowService(() => start({ logger }));
  });
  after(() => flows.stop());
  afterEach(() => {
    flows.behaviours.clear();
    lines = [];
  });

  const secret = 'the card 4111 1111';
  const failing = (node: string) =>
    flows.behaviours.set(node, (_input, answer) => {
      answer.say({ case: 'error', value: { message: secret } });
      answer.end();
      return undefined;
    });
  let runs = 0;
  /** Runs a flow and returns its record and its log lines. */
  const ran = async (document: object, input: object = {}) => {
    const graph = await flows.compile(document);
    const { body } = await flows.invoke(graph, { input, idempotency_key: String((runs += 1)) });
    const execution = body.execution_id as string;
    await endOf(flows.acme, execution);
    const record = (await flows.acme.get(`/invocations/v1/executions/${execution}`)).body;
    const logged = lines
      .filter((line) => line.execution === execution)
      .map(({ tenant, graph, node, failureKind, cause, msg }) => ({
        tenant,
        graph,
        node,
        failureKind,
        cause,
        msg,
      }));
    return { record, logged, graph, execution };
  };

  it('has the cause and the failed node in its record and in the log', async () => {
    failing('b');
    const { record, logged, graph } = await ran(twoSteps());
    assert.equal(record.status, 'FAILED');
    assert.deepEqual(
      [record.error_message, record.failure_kind, record.failed_node_name],
      [secret, 'NODE_ERROR', 'b'],
    );
    // The text of a node may contain an input, so only the record has it.
    const expected = { tenant: flows.acme.tenant.id, graph, node: 'b', failureKind: 'NODE_ERROR' };
    assert.deepEqual(logged, [{ ...expected, cause: undefined, msg: 'a run failed' }]);
  });

  it('names the source of a failed edge, but no node for a run without a result', async () => {
    const edge = { from: 'a', to: 'b', condition: 'words[3] == "x"' };
    const { record } = await ran(twoSteps({ edges: [edge] }));
    assert.deepEqual([record.failure_kind, record.failed_node_name], ['EDGE_CONDITION', 'a']);
    assert.match(record.error_message, /^edge "a" → "b": EvaluateEdge condition: /);
    const nowhere = await ran(twoSteps({ edges: [{ from: 'a', to: 'b', condition: 'text == "never"' }] }));
    assert.equal(nowhere.record.error_message, 'graph produced no terminal result');
    assert.equal('failed_node_name' in nowhere.record, false);
    assert.equal(nowhere.logged[0]?.cause, 'graph produced no terminal result');
  });

  it('has fields and log lines that a completed one lacks', async () => {
    const { record, logged } = await ran(twoSteps());
    assert.deepEqual(
      ['error_message', 'failure_kind', 'failed_node_name'].filter((field) => field in record),
      [],
    );
    assert.deepEqual(logged, []);
  });

  it("omits the container's text from the log, but keeps the status", async () => {
    flows.behaviours.set('a', (_input, answer) => {
      answer.fail(grpc.INTERNAL, secret);
      return undefined;
    });
    const { record, logged } = await ran(twoSteps());
    assert.equal(record.error_message, `calling node: INTERNAL: ${secret}`);
    assert.equal(logged[0]?.cause, 'calling node: INTERNAL');
  });

  it('of a direct call has the failure in its record and in the log', async () => {
    failing('');
    const answer = await flows.acme.post(callStep, {});
    assert.equal(answer.status, 422);
    const execution = answer.headers.get('x-execution-id') ?? '';
    const record = (await flows.acme.get(`/invocations/v1/executions/${execution}`)).body;
    assert.deepEqual([record.error_message, record.failure_kind], [secret, 'NODE_ERROR']);
    const [line, ...more] = lines.filter((one) => one.execution === execution);
    assert.deepEqual(more, []);
    assert.equal(line?.node, 'acme/steps/1.0.0/Step');
    assert.equal(JSON.stringify(lines).includes(secret), false);
  });

  it('names the node, package and address of an unreachable container to its own tenant', async () => {
    const { acme } = flows;
    const away = await acme.post('/api/v1/packages', {
      ...stepPackage({ name: 'acme/away' }),
      visibility: 'public',
      endpoint: 'grpc://127.0.0.1:1',
    });
    assert.equal(away.status, 201, JSON.stringify(away.body));
    const path = '/invocations/v1/nodes/acme/away/1.0.0/Step';
    const { status, body } = await acme.post(path, {});
    assert.deepEqual(
      [status, body],
      [
        502,
        {
          error_message: 'could not connect to node',
          message: 'could not connect to node "Step" (Step of acme/away@1.0.0 at grpc://127.0.0.1:1)',
        },
      ],
    );
    // Only the owner may see the address.
    const other = await flows.tenant('other');
    assert.equal(
      (await other.post(path, {})).body.message,
      'could not connect to node "Step" (Step of acme/away@1.0.0)',
    );
    const { record, logged } = await ran({
      name: 'Away',
      entry: 'far',
      terminal: 'far',
      nodes: [step('far', { package: 'acme/away' })],
      edges: [],
    });
    const text = 'could not connect to node "far" (Step of acme/away@1.0.0 at grpc://127.0.0.1:1)';
    assert.equal(record.error_message, text);
    assert.equal(logged[0]?.cause, text);
  });

  it('of a branch is listed on request, with its own cause', async () => {
    failing('c');
    const { execution } = await ran({
      name: 'Two branches',
      entry: 'a',
      terminal: 'd',
      nodes: [step('a'), step('b'), step('c'), step('d', { join: { policy: 'all', on_error: 'continue' } })],
      edges: [
        { from: 'a', to: 'b' },
        { from: 'a', to: 'c' },
        { from: 'b', to: 'd' },
        { from: 'c', to: 'd' },
      ],
    });
    const list = async (query: string) => {
      const { status, body } = await flows.acme.get(`/invocations/v1/executions?limit=1000&${query}`);
      assert.equal(status, 200, JSON.stringify(body));
      return body.executions as Record<string, unknown>[];
    };
    const branches = await list(`lineage_root_execution_id=${execution}`);
    assert.equal(branches.length, 2);
    assert.ok(branches.every((one) => one.lineage_root_execution_id === execution));
    const failed = branches.find(({ status }) => status === 'FAILED');
    assert.deepEqual(
      [failed?.error_message, failed?.failure_kind, failed?.failed_node_name],
      [secret, 'NODE_ERROR', 'c'],
    );
    const plain = await list('');
    assert.ok(plain.some((one) => one.execution_id === execution));
    assert.ok(plain.every((one) => one.lineage_root_execution_id === null));
    const all = await list('branches=true');
    assert.ok(branches.every(({ execution_id: id }) => all.some((one) => one.execution_id === id)));
    assert.equal((await flows.acme.get('/invocations/v1/executions?branches=yes')).status, 400);
  });
});
