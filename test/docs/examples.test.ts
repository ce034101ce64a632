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
import { type Caller, type RunningService, startService } from '../support/running-service.ts';
import { tlsFile } from '../support/tls-files.ts';
import { suiteNeeds } from '../support/toolchains.ts';
import { anchorsOf, type Page, readPage } from './page.ts';

const projectRoot = path.resolve(import.meta.dirname, '../..');

describe('the documentation pages', () => {
  let pages: Page[];

  before(async () => {
    const files = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...listFiles('docs')];
    pages = await Promise.all(files.filter((file) => file.endsWith('.md')).map(readPage));
  });

  it('contain only JSON and YAML that parse', () => {
    for (const { path: file, blocks } of pages) {
      for (const { language, content } of blocks) {
        const read = { json: JSON.parse, yaml: parse }[language] as ((text: string) => unknown) | undefined;
        assert.doesNotThrow(() => read?.(content), `${file}: ${content}`);
      }
    }
  });

  it('link only to headings that exist', () => {
    const anchors = new Map(pages.map((page) => [page.path, anchorsOf(page)]));
    const broken = pages.flatMap(({ path: file, text }) =>
      [...text.matchAll(/\]\(([^)\s:]*)#([^)\s]+)\)/g)].flatMap(([, target = '', anchor = '']) => {
        const page = target === '' ? file : path.posix.join(path.posix.dirname(file), target);
        return anchors.get(page)?.has(anchor) === false ? [`${file}: ${target}#${anchor}`] : [];
      }),
    );
    assert.deepEqual(broken, []);
  });

  it('contain a valid body for the preview', () => {
    const page = pages.find(({ path: file }) => file === 'docs/flows.md');
    const [block] = page?.blocks.filter(({ language }) => language === 'json') ?? [];
    assert.equal(previewBody.safeParse(JSON.parse(block?.content ?? '')).error, undefined);
  });
});

suiteNeeds('python', 'the Python container of docs/node-containers.md', function () {
  this.timeout(PYTHON_VENV_TIMEOUT_MS);
  let folder: string;
  let venv: PythonVenv;
  const containers: ChildProcess[] = [];
  let acme: Caller;
  let service: RunningService | undefined;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'svc-docs-'));
    const { blocks } = await readPage('docs/node-containers.md');
    for (const { info, content } of blocks.filter((block) => block.info !== '')) {
      await mkdir(path.dirname(path.join(folder, info)), { recursive: true });
      await writeFile(path.join(folder, info), content);
    }
    venv = await pythonVenv();
    const includes = ['-I.', `-I${path.join(projectRoot, 'service/nodes')}`];
    const outputs = ['--python_out=.', '--grpc_python_out=.'];
    const compile = [
      '-m',
      'grpc_tools.protoc',
      ...includes,
      ...outputs,
      'hello.proto',
      'node_container.proto',
    ];
    await promisify(execFile)(venv.python, compile, { cwd: path.join(folder, 'hello'), env: venv.env });
    service = await startService({ SVC_NODE_CA_FILE: tlsFile('authority.pem') });
    acme = await service.tenant('acme');
  });
  after(async () => {
    for (const each of containers) if (each.exitCode === null && each.kill()) await once(each, 'exit');
    await service?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** Starts a program of the page and returns the endpoint that it prints. */
  const startContainer = async (...args: string[]): Promise<string> => {
    const started = spawn(venv.python, args, {
      cwd: path.join(folder, 'hello'),
      env: venv.env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    containers.push(started);
    const [endpoint] = (await once(createInterface(started.stdout), 'line')) as [string];
    return endpoint;
  };

  it('is published and answers calls, including failures', async () => {
    const endpoint = await startContainer('container.py', '0');
    const cwd = path.join(folder, 'hello');
    assert.ok(service);
    const published = await acme.post('/api/v1/packages', { ...(await readPackageFolder(cwd)), endpoint });
    assert.equal(published.status, 201, JSON.stringify(published.body));
    const route = '/invocations/v1/nodes/acme/hello/1.0.0/Greet';
    assert.deepEqual((await acme.post(route, { name: 'Ada' })).body, { text: 'Hello, Ada!' });
    const failed = await acme.post(route, {});
    assert.equal(failed.status, 422);
    assert.deepEqual(failed.body, { error_message: 'name must not be empty' });

    const lines = '{"name": "Ada"}\n{"name": "Grace"}\n';
    const streamed = await fetch(`${service.url}/invocations/v1/nodes/acme/hello/1.0.0/GreetAll`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${acme.key}`, 'Content-Type': 'application/x-ndjson' },
      body: lines,
    });
    assert.match(await streamed.text(), /Hello, Ada!"[^]*Hello, Grace!"[^]*"success":true,"input_frames":2/);

    const flow = {
      name: 'Greet someone',
      entry: 'greet',
      terminal: 'greet',
      nodes: [{ id: 'greet', package: 'acme/hello', node_name: 'Greet' }],
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

  it('is published with TLS and a token, and refuses calls with another token', async () => {
    const [certificate, key] = [tlsFile('loopback.pem'), tlsFile('loopback.key')];
    const tokenFile = path.join(folder, 'token');
    await writeFile(tokenFile, `${'a'.repeat(32)}\n`);
    const endpoint = await startContainer('secured.py', '0', certificate, key, tokenFile);
    const document = await readPackageFolder(path.join(folder, 'hello'));
    const publish = async (token: string): Promise<Record<string, unknown>> =>
      (await acme.post('/api/v1/packages', { ...document, endpoint, token })).body as Record<string, unknown>;
    const refused = await publish('b'.repeat(32));
    assert.match(String(refused.warnings), /UNAUTHENTICATED: wrong token: deploy the package again/);
    const accepted = await publish('a'.repeat(32));
    assert.deepEqual([accepted.verification, accepted.warnings], ['verified', []]);
    const called = await acme.post('/invocations/v1/nodes/acme/hello/1.0.0/Greet', { name: 'Ada' });
    assert.deepEqual(called.body, { text: 'Hello, Ada!' });
  });
});
