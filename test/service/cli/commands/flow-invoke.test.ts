import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { approval, askHuman } from '../../../support/asking-flow.ts';
import { itSlow } from '../../../support/fast-run.ts';
import { type FlowService, startFlowService } from '../../../support/flow-service.ts';
import { type Run, runInProcess } from '../../../support/run-svc.ts';
import { step, twoSteps } from '../../../support/step-package.ts';

describe('svc flow invoke', () => {
  let flows: FlowService;
  let graphId: string;
  let folder: string;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'svc-flow-'));
    flows = await startFlowService();
    graphId = await flows.compile(twoSteps());
  });
  after(async () => {
    await flows.stop();
    await rm(folder, { recursive: true });
  });

  const invoke = (id: string, args: string[], stdin = ''): Promise<Run> =>
    runInProcess(
      ['flow', 'invoke', id, ...args],
      { SVC_BASE_URL: flows.service.url, SVC_API_KEY: flows.acme.key },
      stdin,
    );

  it('prints only the output to stdout, and the execution to stderr', async () => {
    const { code, stdout, stderr } = await invoke(graphId, ['--input', '{"text": "x"}']);
    assert.equal(code, 0, stderr);
    assert.deepEqual(JSON.parse(stdout), { text: 'xab' });
    assert.match(stderr, /^execution [0-9a-f]{32}\n$/);
  });

  it('reads input from a file and from stdin, with exact 64-bit numbers', async () => {
    const text = '{"count": 9007199254740993}';
    await writeFile(path.join(folder, 'input.json'), text);
    for (const run of [
      await invoke(graphId, ['--input', `@${folder}/input.json`]),
      await invoke(graphId, ['--input', '-'], text),
    ]) {
      assert.equal(run.code, 0, run.stderr);
      assert.equal((JSON.parse(run.stdout) as { count: string }).count, '9007199254740993');
    }
  });

  it('starts a run on each call, or one per idempotency key', async () => {
    const ids = async (...args: string[]): Promise<number> => {
      const [one, two] = [await invoke(graphId, args), await invoke(graphId, args)];
      return new Set([one.stderr, two.stderr]).size;
    };
    assert.equal(await ids('--input', '{"text": "same"}'), 2);
    assert.equal(await ids('--input', '{"text": "same"}', '--idempotency-key', 'mine'), 1);
  });

  it('reports an idempotency key that is reused with another input or flow', async () => {
    const key = ['--idempotency-key', 'two inputs'];
    const first = await invoke(graphId, ['--input', '{"text": "x"}', ...key]);
    const second = await invoke(graphId, ['--input', '{"text": "y"}', ...key]);
    assert.deepEqual([second.code, JSON.parse(second.stdout)], [0, { text: 'xab' }]);
    const id = /^execution ([0-9a-f]{32})\n$/.exec(first.stderr)?.[1] ?? '';
    const repeats = `the idempotency key has started execution ${id} before, with another input: this repeats it\n`;
    assert.equal(second.stderr, repeats + first.stderr);
    const flow = await flows.compile(twoSteps({ name: 'Another flow' }));
    const third = await invoke(flow, ['--input', '{"text": "y"}', ...key]);
    assert.match(third.stderr, /before, with another flow and another input: this repeats it\n/);
  });

  it('recognizes a pipeline flow by the mode in the refusal', async () => {
    const refusal = {
      error: 'invalid_argument',
      code: 'invalid_argument',
      message: 'refused',
      mode: 'pipeline',
    };
    const server = createServer((_, response) => response.writeHead(400).end(JSON.stringify(refusal)));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const env = { SVC_BASE_URL: url, SVC_API_KEY: flows.acme.key };
    const { stderr } = await runInProcess(['flow', 'invoke', 'g', '--no-wait'], env);
    server.closeAllConnections();
    server.close();
    assert.match(stderr, /^svc: --no-wait is not possible: the flow streams its output\n/);
  });

  it('prints the execution id with --no-wait', async () => {
    const { code, stdout, stderr } = await invoke(graphId, ['--no-wait']);
    assert.equal(code, 0);
    assert.match(stdout, /^[0-9a-f]{32}\n$/);
    assert.equal(
      stderr,
      `run svc execution get ${stdout.trim()} to see the output once the run has completed\n`,
    );
  });

  itSlow('exits with 1 and the reason when the run fails or exceeds the timeout', async () => {
    flows.behaviours.set('slow', () => undefined);
    const failing = await flows.compile(
      twoSteps({ nodes: [step('a', { mock: { error: 'never' } }), step('b')] }),
    );
    const failed = await invoke(failing, []);
    assert.deepEqual([failed.code, failed.stdout], [1, '']);
    assert.match(
      failed.stderr,
      /^mocked nodes: a\nsvc: execution ([0-9a-f]{32}) failed: .*never.*: run svc execution get \1 for details\n$/,
    );
    const slow = await flows.compile(
      twoSteps({ nodes: [step('slow')], edges: [], entry: 'slow', terminal: 'slow' }),
    );
    const late = await invoke(slow, ['--timeout', '1']);
    assert.equal(late.code, 1);
    assert.match(
      late.stderr,
      /is still running: timeout waiting for flow result \(1s\): run svc execution get [0-9a-f]{32} to see the output once it has completed\n$/,
    );
  });

  it('exits with 1 and explains how to decide when the run pauses, even with --json', async () => {
    askHuman(flows);
    const asking = await flows.compile(approval);
    const paused = await invoke(asking, []);
    assert.deepEqual([paused.code, paused.stdout], [1, '']);
    assert.match(
      paused.stderr,
      /^svc: execution (\w+) is paused and waits for a decision on pause (\S+): run .*; decide with svc execution resume \1 \2 --value <json>\n$/,
    );
    const { code, stdout } = await invoke(asking, ['--json']);
    assert.equal(code, 1);
    const answer = JSON.parse(stdout) as { execution_status: string; pause_id: string };
    assert.equal(answer.execution_status, 'PAUSED');
    assert.match(answer.pause_id, /./);
    assert.match(
      (await invoke(asking, ['--help'])).stdout,
      /The exit code is .* It is 1 if the run fails, pauses/,
    );
  });

  it('explains that paused runs count when the tenant has too many runs', async () => {
    const server = createServer((_, response) => {
      const body = { error: 'inflight_exceeded', message: 'too many', code: 'inflight_exceeded' };
      response.writeHead(429, { 'Retry-After': '31' }).end(JSON.stringify(body));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { code, stderr } = await invoke(graphId, ['--url', url]);
    server.close();
    assert.equal(code, 1);
    assert.match(stderr, /: too many: paused runs count too; run svc execution pauses to list them\n$/);
  });

  it('suggests svc execution events for a run without a terminal result', async () => {
    const id = await flows.compile(twoSteps({ edges: [{ from: 'a', to: 'b', condition: 'false' }] }));
    const { code, stderr } = await invoke(id, []);
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^svc: execution (\w+) failed: graph produced no terminal result.*: run svc execution events \1 to see which were taken\n$/,
    );
  });

  it('rejects invalid JSON and timeouts, and unknown flows and config profiles', async () => {
    for (const [args, message] of [
      [['--input', '{'], /--input is not valid JSON/],
      [['--timeout', '0'], /--timeout must be a whole number of seconds from 1/],
      [['--timeout', '1.5'], /--timeout must be a whole number of seconds from 1/],
    ] as const) {
      const { code, stderr } = await invoke(graphId, [...args]);
      assert.equal(code, 2);
      assert.match(stderr, message);
    }
    const unknown = await invoke('unknown', []);
    assert.equal(unknown.code, 1);
    assert.match(
      unknown.stderr,
      /^svc: flow "unknown": flow not found: run svc flow list to see the flows\n$/,
    );
    const profile = await invoke(graphId, ['--config', 'lost']);
    assert.match(profile.stderr, /config profile "lost" not found: .* with PUT \/api\/v1\/configs\/lost\n$/);
  });
});
