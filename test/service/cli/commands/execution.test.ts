import assert from 'node:assert/strict';
import { type FlowService, invokeFlow, startFlowService } from '../../../support/flow-service.ts';
import { type Run, runInProcess } from '../../../support/run-svc.ts';
import { twoSteps } from '../../../support/step-package.ts';

describe('svc execution', () => {
  let flows: FlowService;
  let graphId: string;
  before(async () => {
    flows = await startFlowService();
    graphId = await flows.compile(twoSteps());
    flows.behaviours.set('b', (input, answer) => {
      if (flows.container.requests.at(-1)?.context?.resumedPauseId !== '') return input;
      answer.say({ case: 'pause', value: { interruptPayloadJson: '{"question":"go?"}' } as never });
      answer.end();
      return undefined;
    });
  });
  after(() => flows.stop());

  const run = (args: string[], stdin = ''): Promise<Run> =>
    runInProcess(args, { SVC_BASE_URL: flows.service.url, SVC_API_KEY: flows.acme.key }, stdin);
  const svc = (args: string[], stdin = ''): Promise<Run> => run(['execution', ...args], stdin);
  const pause = async (key: string): Promise<{ executionId: string; pauseId: string }> => {
    const answer = await invokeFlow(flows.acme, graphId, { idempotency_key: key });
    const { execution_id: executionId = '', pause_id: pauseId = '' } = answer.body as Record<string, string>;
    return { executionId, pauseId };
  };

  it('lists what waits, and the pauses of one execution', async () => {
    const { executionId, pauseId } = await pause('list');
    for (const args of [['pauses'], ['pauses', executionId]]) {
      const { code, stdout, stderr } = await svc(args);
      assert.equal(code, 0, stderr);
      const line = stdout.split('\n').find((each) => each.startsWith(pauseId)) ?? '';
      assert.deepEqual(line.split(/ {2,}/).slice(1, 4), [executionId, 'b', 'WAITING']);
      assert.ok(line.endsWith('{"question":"go?"}'), line);
    }
    const json = JSON.parse((await svc(['pauses', executionId, '--json'])).stdout) as { pauses: object[] };
    assert.equal(json.pauses.length, 1);
  });

  it('decides with a value as it is written, and says who came first', async () => {
    const { executionId, pauseId } = await pause('decide');
    const resume = (value: string, stdin?: string) =>
      svc(['resume', executionId, pauseId, '--value', value, '--by', 'ann', '--json'], stdin);
    const first = await resume('-', '{"text": "go", "count": 9007199254740993}');
    assert.deepEqual([first.code, first.stderr], [0, '']);
    const { status, already_resumed: already } = JSON.parse(first.stdout) as Record<string, unknown>;
    assert.deepEqual([status, already], ['RESUMED', false]);
    const again = await resume('{"text": "stop"}');
    assert.equal(again.code, 0);
    assert.match(again.stderr, /another decision came first/);
    const events = await flows.acme.get(
      `/invocations/v1/executions/${executionId}/events?decode=true&event_type=NODE_STARTED`,
    );
    const { events: started } = events.body as { events: { input: object }[] };
    assert.deepEqual(started.at(-1)?.input, { text: 'go', count: '9007199254740993' });
  });

  it('decides without a value, and prints the record', async () => {
    const { executionId, pauseId } = await pause('default');
    const { code, stdout } = await svc(['resume', executionId, pauseId]);
    assert.equal(code, 0);
    assert.match(stdout, /^pause_id +\S+\nstatus +RESUMED\nresumed_at +\S+\ndecision +null\n$/);
  });

  it('is what an invocation of a flow that pauses advises to call', async () => {
    const { code, stderr } = await run(['flow', 'invoke', graphId]);
    assert.equal(code, 1);
    const [, executionId = '', pauseId = ''] =
      /decide with svc execution resume (\S+) (\S+) --value <json>\n$/.exec(stderr) ?? [];
    assert.equal((await svc(['resume', executionId, pauseId])).code, 0);
  });

  it('forks a run, and prints the id of the fork', async () => {
    const { executionId } = await pause('fork');
    const checkpoint = `${executionId}-0`;
    const forked = await svc([
      'fork',
      executionId,
      '--checkpoint',
      checkpoint,
      '--input',
      '{"text": "other"}',
    ]);
    assert.deepEqual([forked.code, forked.stderr], [0, '']);
    const child = forked.stdout.trim();
    const record = await flows.acme.get(`/invocations/v1/executions/${child}`);
    assert.equal((record.body as Record<string, unknown>).forked_from_execution_id, executionId);
    const whole = JSON.parse((await svc(['fork', child, '--json'])).stdout) as Record<string, unknown>;
    assert.equal(whole.forked_from_execution_id, child);
    const { code, stderr } = await svc(['fork', executionId, '--checkpoint', 'none']);
    assert.equal(code, 1);
    assert.match(stderr, /no such checkpoint/);
  });

  it('reports refusals of the service, and wrong usage', async () => {
    const unknown = await svc(['resume', '0'.repeat(32), 'none']);
    assert.equal(unknown.code, 1);
    assert.match(unknown.stderr, /execution not found/);
    const { code, stderr } = await svc(['resume', 'x', 'y', '--value', '{']);
    assert.equal(code, 2);
    assert.match(stderr, /--value is not valid JSON/);
  });
});
