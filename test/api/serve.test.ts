import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { bareEnv, program, startServeProcess } from '../support/serve-process.ts';
import { suiteNeeds } from '../support/toolchains.ts';

suiteNeeds('processes', 'svc serve as a process', () => {
  let dataDir: string;
  let running: ChildProcess | undefined;
  before(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), 'svc-serve-'));
  });
  afterEach(async () => {
    if (running?.exitCode === null && running.signalCode === null) {
      running.kill('SIGKILL');
      await once(running, 'exit');
    }
  });
  after(() => rm(dataDir, { recursive: true, force: true }));

  function serve(env: Record<string, string>): ChildProcess {
    running = spawn(process.execPath, [program, 'serve'], {
      env: { ...bareEnv(), SVC_DATA_DIR: dataDir, SVC_PORT: '0', SVC_LOG_LEVEL: 'silent', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return running;
  }

  async function urlOf(child: ChildProcess): Promise<string> {
    const lines = createInterface(child.stdout!);
    const [line] = (await once(lines, 'line')) as [string];
    return line;
  }

  async function failure(child: ChildProcess): Promise<{ code: number; stderr: string }> {
    let stderr = '';
    child.stderr!.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    // Its streams may end after it has.
    const [code] = (await once(child, 'close')) as [number];
    return { code, stderr };
  }

  it('prints its URL, is ready immediately, and exits 0 on SIGTERM', async () => {
    const service = await startServeProcess({ SVC_DATA_DIR: dataDir });
    running = service.child;
    assert.equal((await fetch(`${service.url}/readyz`)).status, 200);
    assert.equal(await service.stop(), 0);
  });

  it('reports a port in use and the variable to set', async () => {
    const first = serve({});
    const { port } = new URL(await urlOf(first));
    const second = spawn(process.execPath, [program, 'serve'], {
      env: { ...bareEnv(), SVC_DATA_DIR: `${dataDir}/other`, SVC_PORT: port, SVC_METRICS_PORT: '0' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const { code, stderr } = await failure(second);
    assert.equal(code, 1);
    assert.match(stderr, new RegExp(`port ${port} on 127\\.0\\.0\\.1 is already in use: set SVC_PORT`));
  });

  it('reports a metrics port in use and the variable to set', async () => {
    const first = await startServeProcess({ SVC_DATA_DIR: dataDir });
    running = first.child;
    const { port } = new URL(first.metricsUrl);
    const second = spawn(process.execPath, [program, 'serve'], {
      env: {
        PATH: process.env.PATH,
        SVC_DATA_DIR: `${dataDir}/third`,
        SVC_PORT: '0',
        SVC_METRICS_PORT: port,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const { code, stderr } = await failure(second);
    assert.equal(code, 1);
    assert.match(
      stderr,
      new RegExp(`port ${port} on 127\\.0\\.0\\.1 is already in use: set SVC_METRICS_PORT`),
    );
    assert.equal(await first.stop(), 0);
  });

  it('reports all configuration errors at once', async () => {
    const { code, stderr } = await failure(serve({ SVC_PORT: 'eighty', SVC_SYNC: 'maybe' }));
    assert.equal(code, 2);
    assert.match(stderr, /SVC_PORT/);
    assert.match(stderr, /SVC_SYNC/);
  });
});
