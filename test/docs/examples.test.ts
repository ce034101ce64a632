import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

import { parse } from 'yaml';

import { readPackageFolder } from '../../service/nodes/package-folder.ts';
import { previewBody } from '../../specs/operations/preview.ts';
import { listFiles } from '../architecture/source-tree.ts';
import { endOf } from '../support/execution-records.ts';
import { PYTHON_VENV_TIMEOUT_MS, type PythonVenv, pythonVenv } from '../support/python-venv.ts';
import { type RunningService, startService } from '../support/running-service.ts';
import { suiteNeeds } from '../support/toolchains.ts';
import { anchorsOf, type Page, readPage } from './page.ts';

const projectRoot = path.resolve(import.meta.dirname, '../..');

describe('the pages of the documentation', () => {
  let pages: Page[];

  before(async () => {
    const files = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...listFiles('docs')];
    pages = await Promise.all(files.filter((file) => file.endsWith('.md')).map(readPage));
  });

  it('have blocks of JSON and YAML that parse', () => {
    for (const { path: file, blocks } of pages) {
      for (const { language, content } of blocks) {
        const read = { json: JSON.parse, yaml: parse }[language] as ((text: string) => unknown) | undefined;
        assert.doesNotThrow(() => read?.(content), `${file}: ${content}`);
      }
    }
  });

  it('link to headings that exist', () => {
    const anchors = new Map(pages.map((page) => [page.path, anchorsOf(page)]));
    const broken = pages.flatMap(({ path: file, text }) =>
      [...text.matchAll(/\]\(([^)\s:]*)#([^)\s]+)\)/g)].flatMap(([, target = '', anchor = '']) => {
        const page = target === '' ? file : path.posix.join(path.posix.dirname(file), target);
        return anchors.get(page)?.has(anchor) === false ? [`${file}: ${target}#${anchor}`] : [];
      }),
    );
    assert.deepEqual(broken, []);
  });

  it('show a preview of the right shape', () => {
    const page = pages.find(({ path: file }) => file === 'docs/flows.md');
    const [block] = page?.blocks.filter(({ language }) => language === 'json') ?? [];
    assert.equal(previewBody.safeParse(JSON.parse(block?.content ?? '')).error, undefined);
  });
});

suiteNeeds('python', 'the container in Python of docs/node-containers.md', function () {
  this.timeout(PYTHON_VENV_TIMEOUT_MS);
  let folder: string;
  let venv: PythonVenv;
  let container: ChildProcess | undefined;
  let service: RunningService | undefined;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'svc-docs-'));
    const { blocks } = await readPage('docs/node-containers.md');
    for (const { info, content } of blocks.filter((block) => block.info !== '')) {
      await mkdir(path.dirname(path.join(folder, info)), { recursive: true });
      await writeFile(path.join(folder, info), content);
    }
    venv = await pythonVenv();
    service = await startService({});
  });
  after(async () => {
    if (container?.exitCode === null && container.kill()) await once(container, 'exit');
    await service?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('is published and answers calls, failures included', async () => {
    const cwd = path.join(folder, 'greeter');
    const includes = ['-I.', `-I${path.join(projectRoot, 'service/nodes')}`];
    const outputs = ['--python_out=.', '--grpc_python_out=.'];
    const sources = ['greeter.proto', 'node_container.proto'];
    const compile = ['-m', 'grpc_tools.protoc', ...includes, ...outputs, ...sources];
    await promisify(execFile)(venv.python, compile, { cwd, env: venv.env });
    const started = spawn(venv.python, ['container.py', '0'], {
      cwd,
      env: venv.env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    container = started;
    const [endpoint] = (await once(createInterface(started.stdout), 'line')) as [string];

    assert.ok(service);
    const acme = await service.tenant('acme');
    const published = await acme.post('/api/v1/packages', { ...(await readPackageFolder(cwd)), endpoint });
    assert.equal(published.status, 201, JSON.stringify(published.body));
    const route = '/invocations/v1/nodes/acme/greeter/1.0.0/Greet';
    assert.deepEqual((await acme.post(route, { name: 'Ada' })).body, { text: 'Hello, Ada!' });
    const failed = await acme.post(route, {});
    assert.equal(failed.status, 422);
    assert.deepEqual(failed.body, { error_message: 'name must not be empty' });

    const flow = {
      name: 'Greet someone',
      entry: 'greet',
      terminal: 'greet',
      nodes: [{ id: 'greet', package: 'acme/greeter', node_name: 'Greet' }],
      edges: [],
    };
    const { graph_id: graphId } = (await acme.post('/api/v1/graphs/compile', flow)).body as {
      graph_id: string;
    };
    const invoked = await acme.post('/invocations/v1/flows/invoke', {
      graph_id: graphId,
      input: {},
      wait: true,
    });
    const { execution_id: executionId, pause_id: pauseId } = invoked.body as Record<string, string>;
    assert.ok(pauseId, JSON.stringify(invoked.body));
    const { pauses } = (await acme.get(`/invocations/v1/executions/${executionId}/pauses`)).body as {
      pauses: { interrupt_payload: unknown }[];
    };
    assert.deepEqual(pauses[0]?.interrupt_payload, { question: 'Who is to be greeted?' });
    const decision = { pause_id: pauseId, value: { name: 'Ada' } };
    const resumed = await acme.post(`/invocations/v1/flows/${executionId}/resume`, decision);
    assert.equal(resumed.status, 200, JSON.stringify(resumed.body));
    const end = await endOf(acme, executionId ?? '');
    assert.equal(end.status, 'COMPLETED');
  });
});
