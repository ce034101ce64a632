import assert from 'node:assert/strict';
import { approval, askHuman, pausedRun } from '../../../support/asking-flow.ts';
import { type FlowService, invokeFlow, startFlowService } from '../../../support/flow-service.ts';
import { type Run, runInProcess } from '../../../support/run-svc.ts';
import { step, twoSteps } from '../../../support/step-package.ts';

const failing = {
  name: 'Failing',
  entry: 'bad',
  terminal: 'bad',
  nodes: [step('bad', { mock: { error: 'no \u001b[2J luck' } })],
};

/** Both edges of its entry pass, so each opens a branch. */
const branching = {
  name: 'Branching',
  entry: 'a',
  terminal: 'z',
  nodes: [step('a'), step('b'), step('c'), step('z', { join: { policy: 'all' } })],
  edges: [
    { from: 'a', to: 'b' },
    { from: 'a', to: 'c' },
    { id: 'bz', from: 'b', to: 'z' },
    { from: 'c', to: 'z' },
  ],
  compose: { z: { text: 'bz:text' } },
};

describe('svc execution list, get, events, tail and cancel', () => {
  let flows: FlowService;
  let asking: string;
  let failed: string;
  before(async () => {
    flows = await startFlowService();
    askHuman(flows);
    asking = await flows.compile(approval);
    const answer = await invokeFlow(flows.acme, await flows.compile(failing));
    failed = (answer.body as { execution_id: string }).execution_id;
  });
  after(() => flows.stop());

  const svc = (...args: string[]): Promise<Run> =>
    runInProcess(['execution', ...args], { SVC_BASE_URL: flows.service.url, SVC_API_KEY: flows.acme.key });

  it('lists the matching executions, and how to get the next page', async () => {
    const { executionId } = await pausedRun(flows.acme, asking);
    const { stdout, stderr } = await svc('list', '--status', 'running', '--flow', asking, '--limit', '1');
    assert.match(
      stdout,
      new RegExp(
        `^EXECUTION .*\n${executionId}  RUNNING \\(paused\\)  \\S+Z  - +${asking} \\(${approval.name}\\)\n$`,
      ),
    );
    assert.equal(stderr, '');
    const first = await svc('list', '--limit', '1');
    const [, cursor = ''] =
      /^there are more: repeat the command with --cursor (\S+)\n$/.exec(first.stderr) ?? [];
    const second = await svc('list', '--limit', '1', '--cursor', cursor, '--json');
    const { executions } = JSON.parse(second.stdout) as { executions: { execution_id: string }[] };
    assert.equal(executions.length, 1);
    assert.ok(!first.stdout.includes(executions[0]?.execution_id ?? ''));
    const none = await svc('list', '--before', '2001-01-01T00:00:00Z');
    assert.equal(none.stdout, 'EXECUTION  STATUS  CREATED  COMPLETED  NODE OR FLOW\n');
  });

  it('lists branches only with --run or --branches', async () => {
    const answer = await invokeFlow(flows.acme, await flows.compile(branching));
    const { execution_id: run } = answer.body as { execution_id: string };
    const ids = async (...args: string[]): Promise<string[]> => {
      const { executions } = JSON.parse((await svc('list', '--json', ...args)).stdout) as {
        executions: { execution_id: string }[];
      };
      return executions.map((each) => each.execution_id);
    };
    const branches = await ids('--run', run);
    assert.equal(branches.length, 2);
    const [runs, all] = [await ids(), await ids('--branches')];
    assert.ok(runs.includes(run) && !branches.some((id) => runs.includes(id)));
    assert.ok(branches.every((id) => all.includes(id)));
  });

  it('reports an invalid filter', async () => {
    for (const [args, message] of [
      [['--after', 'today'], /^svc: query parameter created_after: must be an ISO 8601 time/],
      [['--limit', '0'], /^svc: query parameter limit: /],
      [['--cursor', 'x'], /^svc: cursor is invalid: /],
    ] as [string[], RegExp][]) {
      const { code, stdout, stderr } = await svc('list', ...args);
      assert.deepEqual([code, stdout], [1, '']);
      assert.match(stderr, message);
    }
    const { code, stderr } = await svc('list', '--status', 'done');
    assert.equal(code, 2);
    assert.match(stderr, /'--status <status>' argument 'done' is invalid. Allowed choices are QUEUED, /);
    const paused = await svc('list', '--status', 'paused');
    assert.equal(paused.code, 2);
    assert.match(
      paused.stderr,
      /Allowed choices are QUEUED, .*\. A paused run is RUNNING; svc execution pauses lists the runs that wait for a decision\.$/m,
    );
    const mistyped = await svc('events', failed, '--type', 'NODE_FALED');
    assert.equal(mistyped.code, 2);
    assert.match(mistyped.stderr, /argument 'NODE_FALED' is invalid. Allowed choices are NODE_STARTED, /);
  });

  it('shows a record without unset fields', async () => {
    const { stdout } = await svc('get', failed);
    assert.match(stdout, new RegExp(`^execution_id +${failed}\n`));
    assert.match(stdout, /^status +FAILED$/m);
    assert.match(stdout, new RegExp(`^graph_id +\\S+ \\(${failing.name}\\)$`, 'm'));
    assert.doesNotMatch(stdout, /null|undefined|forked_from/);
    const whole = JSON.parse((await svc('get', failed, '--json')).stdout) as Record<string, unknown>;
    assert.equal(whole.forked_from_execution_id, null);
  });

  it('shows the output of a completed run, and the id of its flow once', async () => {
    const graphId = await flows.compile(twoSteps());
    const answer = await invokeFlow(flows.acme, graphId, { input: { text: 'x' } });
    const { execution_id: id } = answer.body as { execution_id: string };
    const { stdout } = await svc('get', id);
    assert.match(stdout, /^status +COMPLETED$/m);
    assert.match(stdout, /\n\n\{\n {2}"text": "xab"\n\}\n$/);
    assert.equal(stdout.split(graphId).length, 2, stdout);
    const whole = JSON.parse((await svc('get', id, '--json')).stdout) as Record<string, unknown>;
    assert.deepEqual([whole.graph_id, whole.output], [graphId, { text: 'xab' }]);
    const called = await flows.acme.post('/invocations/v1/nodes/acme/steps/1.0.0/Step', { text: 'n' });
    assert.equal(called.status, 200);
    const calls = JSON.parse((await svc('list', '--limit', '1', '--json')).stdout) as {
      executions: { execution_id: string }[];
    };
    const call = await svc('get', calls.executions[0]?.execution_id ?? '');
    assert.match(call.stdout, /^status +COMPLETED$/m);
    assert.doesNotMatch(call.stdout, /\n\n/);
  });

  it('prints events with escaped control characters', async () => {
    const { stdout } = await svc('events', failed);
    assert.match(stdout, /^\S+Z {2}NODE_STARTED +bad\n/);
    assert.match(stdout, /^\S+Z {2}NODE_FAILED +bad +no \\u001b\[2J luck {2}\(NODE_ERROR\)$/m);
    assert.ok(!stdout.includes('\u001b'));
    const chosen = await svc(
      'events',
      failed,
      '--type',
      'NODE_STARTED',
      '--node',
      'bad',
      '--decode',
      '--json',
    );
    const { events } = JSON.parse(chosen.stdout) as { events: { type: string; input: unknown }[] };
    assert.deepEqual(
      events.map(({ type, input }) => [type, input]),
      [['NODE_STARTED', {}]],
    );
    assert.equal((await svc('events', failed, '--node', 'other')).stdout, '');
  });

  it('prints the payload of a failure', async () => {
    flows.behaviours.set('fails', (_input, answer) => {
      answer.say({ case: 'error', value: { message: 'no', failurePayloadJson: '{"code":7}' } });
      answer.end();
      return undefined;
    });
    const graphId = await flows.compile({
      ...failing,
      entry: 'fails',
      terminal: 'fails',
      nodes: [step('fails')],
    });
    const answer = await invokeFlow(flows.acme, graphId);
    const { execution_id: id } = answer.body as { execution_id: string };
    const { stdout } = await svc('events', id, '--decode');
    assert.match(stdout, / FLOW_FAILED .* no {2}\(NODE_ERROR\) {2}payload \{"code":7\}\n$/);
  });

  it('follows a run until it is cancelled', async () => {
    const { executionId } = await pausedRun(flows.acme, asking);
    const followed = svc('tail', executionId);
    const cancelled = await svc('cancel', executionId);
    assert.match(cancelled.stdout, /^status +CANCELLED$/m);
    const { code, stdout, stderr } = await followed;
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(stdout, / HITL_PAUSED +ask +pause \S+ {2}question \{"question":"go\?"\}\n/);
    assert.match(stdout, / FLOW_FAILED +execution cancelled {2}\(CANCELLED\)\n$/);
    const lines = (await svc('tail', executionId, '--json')).stdout.trim().split('\n');
    assert.equal((JSON.parse(lines.at(-1) ?? '') as { type: string }).type, 'FLOW_FAILED');
    const again = await svc('cancel', executionId);
    assert.deepEqual(
      [again.code, again.stderr],
      [1, `svc: execution "${executionId}": the execution is over: its status is CANCELLED\n`],
    );
  });

  it('reports an unknown execution', async () => {
    for (const command of ['get', 'events', 'tail', 'cancel']) {
      assert.deepEqual(await svc(command, 'lost'), {
        code: 1,
        stdout: '',
        stderr: 'svc: execution "lost": execution not found: run svc execution list to see the latest\n',
      });
    }
  });
});
