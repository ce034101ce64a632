import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { LargeNumber } from '../../../../specs/large-number.ts';
import { type Caller, type RunningService, startService } from '../../../support/running-service.ts';
import { type Run, runInProcess } from '../../../support/run-svc.ts';
import { publishSteps, step, twoSteps } from '../../../support/step-package.ts';
import { storeSecret } from '../../../support/stored-secret.ts';

describe('svc flow compile', () => {
  let service: RunningService;
  let acme: Caller;
  let folder: string;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'svc-flow-'));
    service = await startService();
    acme = await service.tenant('acme');
    await publishSteps(acme);
  });
  after(async () => {
    await service.stop();
    await rm(folder, { recursive: true });
  });

  async function compile(text: string, ...options: string[]): Promise<Run> {
    const file = path.join(folder, 'flow.yaml');
    await writeFile(file, text);
    return runInProcess(['flow', 'compile', file, ...options], {
      SVC_BASE_URL: service.url,
      SVC_API_KEY: acme.key,
    });
  }

  it('prints the compiled flow, and its warnings to stderr', async () => {
    const nodes = [step('a'), step('b'), step('lost', { mock: { error: 'x' } })];
    const edges = [
      { from: 'a', to: 'b' },
      { from: 'a', to: 'lost' },
    ];
    const { code, stdout, stderr } = await compile(JSON.stringify(twoSteps({ nodes, edges })));
    assert.equal(code, 0, stderr);
    assert.match(stderr, /^compiled .*flow\.yaml\nwarning: node "lost" has no path to the terminal/);
    assert.match(stdout, /^graph_id +[0-9a-f]{40}$/m);
    assert.match(stdout, /^mocked +lost$/m);
  });

  it('warns about secrets that another tenant receives', async () => {
    await publishSteps(await service.tenant('globex'), { name: 'globex/steps' });
    await storeSecret(service, acme, 'API_TOKEN');
    const nodes = [step('a'), step('b', { package: 'globex/steps', node_name: 'Sealed' })];
    const { code, stderr } = await compile(
      JSON.stringify(twoSteps({ nodes, edges: [{ from: 'a', to: 'b', adapter: { text: 'text' } }] })),
    );
    assert.equal(code, 0, stderr);
    assert.match(
      stderr,
      /\nwarning: node "b" of globex\/steps sends your secret "API_TOKEN" to a container of the tenant "globex"\n/,
    );
  });

  it('reports an unchanged flow, and prints JSON', async () => {
    const first = await compile(
      '{name: T, entry: a, terminal: a, nodes: [{id: a, package: acme/steps, node_name: Step}]}',
      '--json',
    );
    const again = await compile(
      '{name: T, entry: a, terminal: a, nodes: [{id: a, package: acme/steps, node_name: Step}]}',
      '--json',
    );
    assert.equal(again.code, 0);
    assert.match(again.stderr, /is already compiled and unchanged/);
    assert.equal(again.stdout, first.stdout);
  });

  it('preserves every digit of a number', async () => {
    const flow = (count: unknown) => ({
      ...{ name: 'Digits', entry: 'a', terminal: 'a' },
      nodes: [step('a', { mock: { output: { count } } })],
    });
    const digits = '9007199254740993';
    const { stdout, stderr } = await compile(
      `{name: Digits, entry: a, terminal: a, nodes: [{id: a, package: acme/steps, node_name: Step, mock: {output: {count: ${digits}}}}]}`,
      '--json',
    );
    const direct = await acme.post('/api/v1/graphs/compile', flow(new LargeNumber(digits)));
    const idOf = (graph: unknown) => (graph as { graph_id: string }).graph_id;
    assert.equal(idOf(JSON.parse(stdout)), idOf(direct.body), stderr);
  });

  it('prints every compile error on its own line', async () => {
    const { code, stdout, stderr } = await compile(JSON.stringify(twoSteps({ entry: 'x', terminal: 'y' })));
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(
      stderr,
      /^svc: the flow does not compile:\n  entry "x" is not a node of the flow: its nodes are a, b\n  terminal "y" is not a node of the flow: its nodes are a, b\n$/,
    );
  });

  it('reports every error of the file with its line and its node or edge', async () => {
    const flow = `name: Order
entry: price
terminal: price
nodes:
  - id: price
    package: acme/steps
    node_name: Step
    timeout: 3
edges:
  - from: price
    to: price
    condition: true
    adapter:
      text: 5
`;
    const { code, stderr } = await compile(flow);
    assert.equal(code, 1);
    const [unknown, ...others] = stderr
      .replaceAll(/\S*\/flow\.yaml/g, 'flow.yaml')
      .trimEnd()
      .split('\n');
    assert.match(
      unknown ?? '',
      /^svc: flow\.yaml:8: nodes\[0\] \("price"\): unknown key "timeout": use id, package, version, .*timeout_seconds/,
    );
    assert.deepEqual(others, [
      'flow.yaml:12: edges[0].condition: must be a string: put true in quotes',
      'flow.yaml:14: edges[0].adapter.text: must be a string: put the number in quotes',
    ]);
  });

  it('reports the line of invalid YAML, and unreadable or empty files', async () => {
    const { code, stderr } = await compile('name: x\nnodes: [\n');
    assert.equal(code, 1);
    assert.match(stderr, /flow\.yaml:3:1: /);
    const missing = await runInProcess(['flow', 'compile', `${folder}/none.yaml`], { SVC_API_KEY: 'x' });
    assert.match(missing.stderr, /cannot read .*none\.yaml: no such file/);
    const folded = await runInProcess(['flow', 'compile', folder], { SVC_API_KEY: 'x' });
    assert.match(folded.stderr, /cannot read .*: it is a folder\n$/);
    for (const [text, what] of [
      ['', 'the file is empty'],
      ['- name: x\n', 'the file contains a list'],
      ['x\n', 'the file contains a single value'],
    ] as const) {
      assert.match(
        (await compile(text)).stderr,
        new RegExp(`flow\\.yaml: ${what}: write keys and their values\\n$`),
      );
    }
    const keyless = await runInProcess(['flow', 'compile', `${folder}/none.yaml`], {});
    assert.equal(keyless.code, 1);
    assert.match(keyless.stderr, /no API key/);
  });
});
