import assert from 'node:assert/strict';
import path from 'node:path';
import { readPackageFolder } from '../../service/nodes/package-folder.ts';
import { listFiles } from '../architecture/source-tree.ts';
import { endOf } from '../support/execution-records.ts';
import {
  type FixtureContainer,
  type FixturePackage,
  fixturePackageFolder,
  startFixtureContainer,
} from '../support/fixture-containers.ts';
import { commandsWith, type PageBash, startPageBash } from '../support/page-bash.ts';
import { type Caller, type RunningService, startService } from '../support/running-service.ts';
import { suiteNeeds } from '../support/toolchains.ts';
import { type Page, readPage } from './page.ts';

/** The commands of these pages are run by test/readme.test.ts and by other tests of this folder. */
const ranElsewhere = ['docs/cli.md', 'docs/node-containers.md', 'docs/operating.md'];

suiteNeeds('processes', 'the commands of docs/http-api.md and docs/packages.md', function () {
  this.timeout(60_000);
  let service: RunningService;
  let acme: Caller;
  let bash: PageBash;
  let api: Page;
  let packages: Page;
  const containers = new Map<string, FixtureContainer>();

  before(async () => {
    [api, packages] = await Promise.all([readPage('docs/http-api.md'), readPage('docs/packages.md')]);
    service = await startService();
    acme = await service.tenant('acme');
    for (const name of ['acme-streams', 'acme-generic', 'acme-text'] satisfies FixturePackage[]) {
      const container = await startFixtureContainer(name);
      containers.set(name, container);
      const body = { ...(await readPackageFolder(fixturePackageFolder(name))), endpoint: container.endpoint };
      assert.equal((await acme.post('/api/v1/packages', body)).status, 201);
    }
    bash = await startPageBash({ SVC_BASE_URL: service.url, SVC_API_KEY: acme.key });
  });
  after(async () => {
    await bash.close();
    await service.stop();
    for (const container of containers.values()) await container.stop();
  });

  it('are each covered by a test, like those of the other pages', async () => {
    const shown = ({ blocks }: Page) => blocks.filter(({ language }) => language === 'sh').length;
    // Three of docs/packages.md are in its section on new packages, which has a test of its own.
    assert.deepEqual([shown(api), shown(packages)], [3, 5]);
    const files = listFiles('docs').filter((file) => /^docs\/[^/]+\.md$/.test(file));
    const pages = await Promise.all(files.map(readPage));
    const others = pages.filter((page) => shown(page) > 0 && !ranElsewhere.includes(page.path));
    assert.deepEqual(
      others.map((page) => page.path),
      ['docs/http-api.md', 'docs/packages.md'],
    );
  });

  it('upload lines to a node', async () => {
    const [upload = ''] = commandsWith(api.blocks, 'ParseLogs" < lines.ndjson');
    const printed = await bash.run(upload);
    assert.match(printed, /"message":"started"[^]*"message":"disk full"[^]*"success":true,"input_frames":2/);
  });

  it('read the output of a split stream while it is written', async () => {
    const [block = ''] = commandsWith(api.blocks, '/nodes/streams"');
    const commands = block.replaceAll('\\\n', ' ').trim().split('\n');
    assert.equal(commands.length, 3);
    const [create = '', read = '', write = ''] = commands;
    const urls = JSON.parse(await bash.run(create)) as { input_url: string; output_url: string };
    const base = `${service.url}/invocations`;
    const at = (url: string) => (url.startsWith('http') ? url : base + url);
    await bash.run(`INPUT_URL='${at(urls.input_url)}' OUTPUT_URL='${at(urls.output_url)}'`);
    const printed = await bash.run(`{ ${read.split('#')[0]}; } > frames & ${write}\nwait; cat frames`);
    assert.match(printed, /"input_frames":2[^]*id: 0\ndata: [^]*"message":"disk full"[^]*"success":true/);
  });

  it('fork a run', async () => {
    const flow = path.resolve(import.meta.dirname, '../../fixtures/flows/describe-text.yaml');
    await bash.run(`npx svc flow compile '${flow}' --json > graph.json`);
    const graph = JSON.parse(await bash.run('cat graph.json')) as { graph_id: string };
    const invoked = await acme.post('/invocations/v1/flows/invoke', {
      graph_id: graph.graph_id,
      input: { text: 'Two ships left the harbour.' },
      wait: true,
    });
    const { execution_id: execution } = invoked.body as { execution_id: string };
    await endOf(acme, execution);
    const [fork = ''] = commandsWith(api.blocks, '/fork"');
    const printed = await bash.run(`EXECUTION=${execution}\n${fork}`);
    const answer = JSON.parse(printed) as Record<string, unknown>;
    assert.equal(answer.forked_from_execution_id, execution, printed);
  });

  it('publish a folder', async () => {
    const [publish = ''] = commandsWith(packages.blocks, 'package publish <dir>');
    const folder = fixturePackageFolder('acme-streams');
    const endpoint = containers.get('acme-streams')?.endpoint ?? '';
    const command = publish.replace('<dir>', folder).replace('grpc://127.0.0.1:9001', endpoint);
    assert.match(await bash.run(command), /ParseLogs/);
  });

  it('bind a generic node', async () => {
    const [bind = ''] = commandsWith(packages.blocks, '/api/v1/instances');
    assert.match(await bash.run(bind), /"name":"acme\/invoices"/);
  });
});
