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

  it('lists all waiting pauses or those of one execution, with the resume URL and schema', async () => {
    const { executionId, pauseId } = await pause('list');
    for (const args of [['pauses'], ['pauses', executionId]]) {
      const { code, stdout, stderr } = await svc(args);
      assert.deepEqual([code, stderr], [0, '']);
      const text = stdout.split('\n\n').find((each) => each.includes(pauseId)) ?? '';
      const shown: Record<string, string> = Object.fromEntries(
        text.split('\n').map((line) => line.split(/ {2,}/) as [string, string]),
      );
      assert.deepEqual(
        [shown.execution_id, shown.node_name, shown.status, shown.interrupt_payload, shown.resume_schema],
        [executionId, 'b', 'WAITING', '{"question":"go?"}', 'acme.steps.v1.Step'],
      );
      assert.match(shown.resume_url ?? '', /\/invocations\/v1\/hooks\/resume\/./);
    }
    const json = JSON.parse((await svc(['pauses', executionId, '--json'])).stdout) as { pauses: object[] };
    assert.equal(json.pauses.length, 1);
  });

  it('lists waiting pauses in pages', async () => {
    const ids = [await pause('page-1'), await pause('page-2')].map(({ pauseId }) => pauseId);
    const newest = await svc(['pauses', '--limit', '1']);
    const [, cursor = ''] =
      /^there are more: repeat the command with --cursor (\S+)\n$/.exec(newest.stderr) ?? [];
    const next = await svc(['pauses', '--limit', '1', '--cursor', cursor]);
    const shown = [newest, next].map(({ stdout }) => /^pause_id +(\S+)$/m.exec(stdout)?.[1]);
    assert.deepEqual(shown, ids.toReversed());
    const { code, stderr } = await svc(['pauses', '0'.repeat(32), '--limit', '1']);
    assert.deepEqual(
      [code, stderr],
      [2, 'svc: --limit and --cursor are for the list of all pauses: omit the execution id\n'],
    );
  });

  it('reports that an execution without pauses may be unknown', async () => {
    const unknown = '0'.repeat(32);
    const { code, stdout, stderr } = await svc(['pauses', unknown]);
    assert.deepEqual([code, stdout], [0, '']);
    assert.equal(
      stderr,
      `execution "${unknown}" is unknown or has no pauses: run svc execution list to see the latest\n`,
    );
    const json = await svc(['pauses', unknown, '--json']);
    assert.deepEqual(JSON.parse(json.stdout), { pauses: [] });
  });

  it('resumes with the exact value, and reports an earlier decision', async () => {
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
    const late = await svc(['resume', executionId, pauseId, '--value', '{}', '--by', 'bob']);
    assert.match(late.stdout, /\nresumed_by +ann\n/);
    const events = await flows.acme.get(
      `/invocations/v1/executions/${executionId}/events?decode=true&event_type=NODE_STARTED`,
    );
    const { events: started } = events.body as { events: { input: object }[] };
    assert.deepEqual(started.at(-1)?.input, { text: 'go', count: '9007199254740993' });
  });

  it('resumes with default values given --default, and prints the record', async () => {
    const { executionId, pauseId } = await pause('default');
    const { code, stdout } = await svc(['resume', executionId, pauseId, '--default']);
    assert.equal(code, 0);
    assert.match(stdout, /^pause_id +\S+\nstatus +RESUMED\nresumed_at +\S+\ndecision +null\n$/);
  });

  it('resumes a run with the command that a paused invocation suggests', async () => {
    const { code, stderr } = await run(['flow', 'invoke', graphId]);
    assert.equal(code, 1);
    const [, executionId = '', pauseId = ''] =
      /: run svc execution pauses [0-9a-f]{32} to see the question; decide with svc execution resume (\S+) (\S+) --value <json>\n$/.exec(
        stderr,
      ) ?? [];
    assert.equal((await svc(['resume', executionId, pauseId, '--value', '{}'])).code, 0);
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
    assert.match(
      stderr,
      /^svc: execution "[0-9a-f]{32}": no such checkpoint, or it was evicted: [^:]+: run svc execution checkpoints [0-9a-f]{32} to list those that exist\n$/,
    );
  });

  it('lists the checkpoints of a run, newest first, with the nodes that a fork calls again', async () => {
    const { executionId } = await pause('checkpoints');
    const { code, stdout, stderr } = await svc(['checkpoints', executionId]);
    assert.deepEqual([code, stderr], [0, '']);
    const [, ...rows] = stdout.trimEnd().split('\n');
    const shown = rows.map((row) => {
      const [id, , reason, node, pending] = row.split(/ {2,}/);
      return [id, reason, node, pending];
    });
    assert.deepEqual(shown.at(0), [`${executionId}-${rows.length - 1}`, 'pause', 'b', 'b']);
    assert.deepEqual(shown.at(-1), [`${executionId}-0`, 'step', 'a', 'a']);
    const one = await svc(['checkpoints', executionId, '--limit', '1', '--json']);
    const { checkpoints } = JSON.parse(one.stdout) as { checkpoints: { checkpoint_id: string }[] };
    assert.deepEqual(
      checkpoints.map((each) => each.checkpoint_id),
      [shown.at(0)?.[0]],
    );
    const older = rows.length - 1;
    assert.equal(one.stderr, `${older} older: --limit ${rows.length} lists all, with one request each\n`);
    assert.equal((await svc(['checkpoints', executionId, '--limit', '0'])).code, 2);
    const unknown = await svc(['checkpoints', '0'.repeat(32)]);
    assert.equal(unknown.code, 1);
    assert.match(unknown.stderr, /execution not found/);
  });

  it('reports refusals of the service and wrong usage', async () => {
    const unknown = await svc(['resume', '0'.repeat(32), 'none', '--default']);
    assert.equal(unknown.code, 1);
    assert.match(unknown.stderr, /execution not found/);
    const { code, stderr } = await svc(['resume', 'x', 'y', '--value', '{']);
    assert.equal(code, 2);
    assert.match(stderr, /--value is not valid JSON/);
  });

  it('rejects a missing value, and values that would fail the run', async () => {
    const { executionId, pauseId } = await pause('refused');
    const resume = (...args: string[]): Promise<Run> => svc(['resume', executionId, pauseId, ...args]);
    const none = await resume();
    assert.equal(none.code, 2);
    assert.match(
      none.stderr,
      /give --value <json>, or --default to decide with the default of every field\n$/,
    );
    const both = await resume('--value', '{}', '--default');
    assert.equal(both.code, 2);
    for (const value of ['"yes"', '"yes1="', '7', 'true', '[]']) {
      const { code, stderr } = await resume('--value', value);
      assert.equal(code, 2, value);
      assert.match(stderr, /--value must be an object with the fields of the message/, value);
    }
    const { stdout } = await svc(['pauses', executionId, '--json']);
    const { pauses } = JSON.parse(stdout) as { pauses: { status: string }[] };
    assert.equal(pauses[0]?.status, 'WAITING');
    const decided = await resume('--value', ' "CgJnbw==" ', '--json');
    assert.equal(decided.code, 0, decided.stderr);
    assert.deepEqual((JSON.parse(decided.stdout) as Record<string, unknown>).resume_value, { text: 'go' });
  });
});
