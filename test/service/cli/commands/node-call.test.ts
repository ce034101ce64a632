import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough, Readable, Writable } from 'node:stream';
import { runProgram } from '../../../../service/cli/program.ts';
import { itSlow } from '../../../support/fast-run.ts';
import { type Run, runInProcess } from '../../../support/run-svc.ts';
import { type Caller, type RunningService, startService } from '../../../support/running-service.ts';
import { publishStreams, type StreamPackage } from '../../../support/stream-package.ts';

describe('svc node call, and svc flow invoke of a pipeline flow', () => {
  let service: RunningService;
  let acme: Caller;
  let streams: StreamPackage;
  let folder: string;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'svc-call-'));
    service = await startService();
    acme = await service.tenant('acme');
    streams = await publishStreams(acme, 'acme');
  });
  beforeEach(() => streams.handlers.clear());
  after(async () => {
    await service.stop();
    await streams.server.stop(0);
    await rm(folder, { recursive: true });
  });

  const svc = (args: string[], stdin = ''): Promise<Run> =>
    runInProcess(args, { SVC_BASE_URL: service.url, SVC_API_KEY: acme.key }, stdin);
  const call = (node: string, args: string[] = [], stdin = ''): Promise<Run> =>
    svc(['node', 'call', node, ...args], stdin);
  const flow = 'acme/streams/1.0.0/Flow';
  const once = 'acme/streams/1.0.0/Once';

  it('prints the output of a unary node to stdout, and the execution to stderr', async () => {
    const { code, stdout, stderr } = await call(once, [
      '--input',
      '{"text": "a", "number": 9007199254740993}',
    ]);
    assert.equal(code, 0, stderr);
    assert.deepEqual(JSON.parse(stdout), { text: 'a', number: '9007199254740993' });
    assert.match(stderr, /^execution [0-9a-f]{32}\n$/);
  });

  itSlow('limits the wait for a unary node to --timeout', async () => {
    const { handler } = streams.once;
    streams.once.handler = () => new Promise(() => undefined);
    const { code, stderr } = await call(once, ['--timeout', '1']);
    streams.once.handler = handler;
    assert.equal(code, 1);
    assert.match(
      stderr,
      /no answer within (9\d\d|1000) ms: --timeout gives it longer, at most 300 seconds\n$/,
    );
    assert.match(
      (await call(once, ['--timeout', '301'])).stderr,
      /X-Timeout-Seconds: must be .* from 1 to 300/,
    );
    assert.match(
      (await call(once, ['--timeout', '1s'])).stderr,
      /--timeout must be a whole number of seconds/,
    );
  });

  it('calls a node by its id', async () => {
    const published = await acme.get('/api/v1/packages/acme/streams/1.0.0');
    const { nodes } = published.body as { nodes: { name: string; node_ulid: string }[] };
    const id = nodes.find(({ name }) => name === 'Once')?.node_ulid ?? '';
    const { code, stdout } = await call(id, ['--input', '{"text": "a"}']);
    assert.deepEqual([code, JSON.parse(stdout)], [0, { text: 'a' }]);
  });

  it('prints each message of a stream as it arrives', async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    streams.handlers.set('Flow', async function* () {
      yield { text: 'a' };
      await held;
      yield { text: 'b' };
    });
    const printed: string[] = [];
    const stdout = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        printed.push(chunk.toString());
        release();
        done();
      },
    });
    const env = { SVC_BASE_URL: service.url, SVC_API_KEY: acme.key };
    const terminal = { env, stdin: Readable.from([]), stdout, stderr: new PassThrough() };
    assert.equal(await runProgram(terminal, ['node', 'call', flow]), 0);
    assert.deepEqual(printed, ['{"text":"a"}\n', '{"text":"b"}\n']);
  });

  it('sends the lines of a file or of stdin, and prints their number', async () => {
    const lines = '{"text":"a"}\n\n{"text":"b"}\n';
    await writeFile(path.join(folder, 'lines'), lines);
    for (const run of [
      await call(flow, ['--lines', path.join(folder, 'lines')]),
      await call(flow, ['--lines', '-'], lines),
    ]) {
      assert.deepEqual([run.code, run.stdout], [0, '{"text":"a"}\n{"text":"b"}\n'], run.stderr);
      assert.match(run.stderr, /\n2 input messages sent\n$/);
    }
  });

  it('prints entire frames with --json', async () => {
    const { stdout } = await call(flow, ['--json', '--input', '{"text": "a"}']);
    const frames = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    assert.deepEqual(
      frames.map(({ frame_index, is_final }) => [frame_index, is_final]),
      [
        [0, false],
        [1, true],
      ],
    );
  });

  it('prints the messages of a failed stream, then exits with 1 and the reason', async () => {
    streams.handlers.set('Flow', function* () {
      yield { text: 'a' };
      throw new Error('the tape is torn');
    });
    const { code, stdout, stderr } = await call(flow);
    assert.deepEqual([code, stdout], [1, '{"text":"a"}\n']);
    assert.match(stderr, /svc: the stream failed: the tape is torn\n$/);
  });

  it('rejects invalid nodes and inputs', async () => {
    for (const [args, reason] of [
      [['acme/streams'], /"acme\/streams" is not a node: write owner\/package\/version\/node/],
      [
        ['acme/streams/once'],
        /"acme\/streams\/once" is not a node: write owner\/package\/version\/node; run svc package list acme\/streams to see the versions/,
      ],
      [
        ['acme/streams@1.0.0/Once'],
        /is not a node: write owner\/package\/version\/node, which is acme\/streams\/1\.0\.0\/Once/,
      ],
      [['acme/streams@latest/Once'], /node; run svc package list acme\/streams to see the versions/],
      [['Once'], /"Once" is not a node: write owner\/package\/version\/node, or the id of the node/],
      [[flow, '--input', '{}', '--lines', '-'], /--input and --lines exclude each other/],
      [[flow, '--lines', path.join(folder, 'missing')], /^svc: cannot read .*missing: no such file\n$/],
      [[flow, '--lines', folder], /^svc: cannot read .*: it is a folder\n$/],
      [
        [once, '--lines', '-'],
        /^svc: node "Once" is a unary node and takes no stream: .*: use --input instead of --lines\n$/,
      ],
      [
        ['acme/streams/1.0.0/Nothing'],
        /^svc: node "acme\/streams\/1\.0\.0\/Nothing": node not found: .*has no node "Nothing": it has [\w, ]+\n$/,
      ],
    ] as const) {
      const { code, stderr } = await call(args[0], args.slice(1), '{"text":"a"}\n');
      assert.ok(code !== 0);
      assert.match(stderr, reason);
    }
  });

  it('reports the execution of a failed call, and an unreachable container', async () => {
    const { handler } = streams.once;
    streams.once.handler = () => {
      throw new Error('the tape is torn');
    };
    const failed = await call(once);
    streams.once.handler = handler;
    assert.equal(failed.code, 1);
    assert.match(failed.stderr, /^execution [0-9a-f]{32}\nsvc: the tape is torn\n$/);
    const deployment = '/api/v1/packages/acme/streams/1.0.0/deployment';
    await acme.put(deployment, { endpoint: 'grpc://127.0.0.1:1' });
    const missing = await call(once);
    await acme.put(deployment, { endpoint: streams.server.endpoint });
    assert.match(
      missing.stderr,
      /status 502: could not connect to node "Once" \(.* at grpc:\/\/127\.0\.0\.1:1\): start its container, or say/,
    );
  });

  it('streams a pipeline flow', async () => {
    const node = { id: 'a', package: 'acme/streams', node_name: 'Flow' };
    const compiled = await acme.post('/api/v1/graphs/compile', {
      ...{ name: 'Words', mode: 'pipeline', nodes: [node], edges: [], entry: 'a', terminal: 'a' },
    });
    const { graph_id: graphId } = compiled.body as { graph_id: string };
    const invoke = (...args: string[]): Promise<Run> => svc(['flow', 'invoke', graphId, ...args]);
    const { code, stdout, stderr } = await invoke('--input', '{"text": "a"}');
    assert.deepEqual([code, stdout], [0, '{"text":"a"}\n'], stderr);
    assert.match(stderr, /^execution [0-9a-f]{32}\n$/);
    streams.handlers.set('Flow', () => {
      throw new Error('the tape is torn');
    });
    const failed = await invoke();
    assert.match(
      failed.stderr,
      /^execution (\w+)\nsvc: the stream failed: .*the tape is torn: run svc execution get \1 for details\n$/,
    );
    const [, execution = ''] = /^execution (\w+)/.exec(failed.stderr) ?? [];
    assert.match((await svc(['execution', 'get', execution])).stdout, /^failed_node_name +a$/m);
    const later = await invoke('--no-wait');
    assert.equal(later.code, 2);
    assert.match(later.stderr, /--no-wait is not possible: the flow streams its output/);
  });
});
