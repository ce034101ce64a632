import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

import { readPackageFolder } from '../../service/nodes/package-folder.ts';
import {
  type FixtureContainer,
  fixturePackageFolder,
  startFixtureContainer,
} from '../support/fixture-containers.ts';
import { type RunningService, startService } from '../support/running-service.ts';
import { suiteNeeds } from '../support/toolchains.ts';
import { type Page, readPage } from './page.ts';

suiteNeeds('processes', 'the programs of docs/http-api.md', function () {
  this.timeout(60_000);
  let folder: string;
  let page: Page;
  let container: FixtureContainer;
  let service: RunningService;
  let env: NodeJS.ProcessEnv;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'svc-docs-'));
    page = await readPage('docs/http-api.md');
    container = await startFixtureContainer('acme-streams');
    service = await startService();
    const acme = await service.tenant('acme');
    const document = await readPackageFolder(fixturePackageFolder('acme-streams'));
    const { status } = await acme.post('/api/v1/packages', { ...document, endpoint: container.endpoint });
    assert.equal(status, 201);
    env = { ...process.env, SVC_BASE_URL: service.url, SVC_API_KEY: acme.key };
  });
  after(async () => {
    await service.stop();
    await container.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const run = async (name: string, ...args: string[]): Promise<{ stdout: string; stderr: string }> => {
    const block = page.blocks.find(({ info }) => info === name);
    const file = path.join(folder, name);
    await writeFile(file, block?.content ?? '');
    return promisify(execFile)(process.execPath, [file, ...args], { env });
  };

  it('hold a live session', async () => {
    const { stdout } = await run('live.mjs');
    assert.equal(stdout, 'quick\nbrown\nfox\n');
  });

  it('report a refused live session', async () => {
    const { SVC_API_KEY: key } = env;
    env.SVC_API_KEY = 'wrong';
    const { stdout, stderr } = await run('live.mjs');
    env.SVC_API_KEY = key;
    assert.deepEqual([stdout, stderr], ['', 'refused, or the connection was lost\n']);
  });

  it('follow an execution', async () => {
    const call = await fetch(`${service.url}/invocations/v1/nodes/acme/streams/1.0.0/ParseLogs`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${env.SVC_API_KEY}` },
      body: '{"text": "2026-01-31T09:30:00Z INFO started\\n"}',
    });
    await call.text();
    const { stdout, stderr } = await run('follow.mjs', call.headers.get('x-execution-id') ?? '');
    assert.match(stdout, /^SESSION_READY [^]*NODE_STARTED ParseLogs[^]*NODE_STREAM_COMPLETE ParseLogs/);
    assert.equal(stderr, '1000 \n');
  });
});
