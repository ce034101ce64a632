import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { commandsWith, type PageBash, startPageBash } from '../support/page-bash.ts';
import { PYTHON_VENV_TIMEOUT_MS, pythonVenv } from '../support/python-venv.ts';
import { type Caller, type RunningService, startService } from '../support/running-service.ts';
import { suiteNeeds } from '../support/toolchains.ts';
import { type Page, readPage } from './page.ts';

const projectRoot = path.resolve(import.meta.dirname, '../..');
const call = '/invocations/v1/nodes/acme/hello/1.0.0/Greet';

/** The blocks run in order. Only ports are changed, and an existing Python environment is used. */
suiteNeeds('python', 'the commands of docs/node-containers.md', function () {
  this.timeout(PYTHON_VENV_TIMEOUT_MS);
  let page: Page;
  let bash: PageBash;
  let service: RunningService;
  let acme: Caller;
  let containers: ChildProcess[] = [];

  before(async () => {
    page = await readPage('docs/node-containers.md');
    await start({});
    for (const { info, content } of page.blocks.filter((block) => block.info !== '')) {
      await mkdir(path.dirname(path.join(bash.folder, info)), { recursive: true });
      await writeFile(path.join(bash.folder, info), content);
    }
    const { folder } = await pythonVenv();
    await symlink(folder, path.join(bash.folder, 'hello/.venv'));
    await symlink(path.join(projectRoot, 'service'), path.join(bash.folder, 'service'));
  });
  after(async () => {
    await stopContainers();
    await bash.close();
    await service.stop();
  });

  async function start(env: Record<string, string>): Promise<void> {
    service = await startService(env);
    acme = await service.tenant('acme');
    bash = await startPageBash({ SVC_BASE_URL: service.url, SVC_API_KEY: acme.key });
  }

  async function stopContainers(): Promise<void> {
    for (const each of containers) {
      if (each.exitCode !== null || !each.kill()) continue;
      const [code] = (await once(each, 'exit')) as [number | null];
      assert.equal(code, 0, 'a container ends by itself after SIGTERM');
    }
    containers = [];
  }

  /** Runs a block whose last command is a container; returns the address that it prints. */
  async function serve(block: string, port: string): Promise<string> {
    const lines = block.trim().replace(` ${port}`, ' 0').split('\n');
    const last = lines.pop() ?? '';
    const place = (await bash.run(`${lines.join('\n')}\npwd`)).split('\n').at(-1) ?? '';
    const container = spawn('bash', ['-c', `exec ${last}`], {
      cwd: place,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    containers.push(container);
    const [endpoint] = (await once(createInterface(container.stdout), 'line')) as [string];
    return endpoint;
  }

  it('generate stubs, start a container, publish it and call it', async () => {
    const [prepare = ''] = commandsWith(page.blocks, 'python3 -m venv');
    const withoutInstall = prepare.replace(/^.*(-m venv|pip install).*\n/gm, '');
    assert.equal(prepare.split('\n').length - withoutInstall.split('\n').length, 2);
    const endpoint = await serve(withoutInstall, '9021');
    const [publish = ''] = commandsWith(page.blocks, 'publish hello --endpoint grpc:');
    const printed = await bash.run(publish.replace('grpc://127.0.0.1:9021', endpoint));
    assert.match(printed, /\{"text":"Hello, Ada!"\}[^]*Hello, Ada![^]*Hello, Grace!/);
    await stopContainers();
  });

  it('generate certificates and a token, and publish the container with them', async () => {
    const [secure = ''] = commandsWith(page.blocks, 'openssl req');
    const endpoint = await serve(secure, '9022');
    const [restart = ''] = commandsWith(page.blocks, 'SVC_NODE_CA_FILE=');
    const [, authority = '', publish = ''] =
      /^SVC_NODE_CA_FILE=(\S+) npx svc serve .*\n(.*)$/m.exec(restart) ?? [];
    const { folder } = bash;
    const earlier = service;
    service = await startService({ SVC_NODE_CA_FILE: path.join(folder, authority) });
    await earlier.stop();
    acme = await service.tenant('acme');
    const command = publish.replace('grpcs://127.0.0.1:9022', endpoint);
    const environment = `export SVC_BASE_URL='${service.url}' SVC_API_KEY='${acme.key}'`;
    const printed = await bash.run(`${environment}\ncd '${folder}'\n${command} 2>&1`);
    assert.doesNotMatch(printed, /warning/);
    assert.deepEqual((await acme.post(call, { name: 'Ada' })).body, { text: 'Hello, Ada!' });
  });
});
