import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import {
  type ContainerPool,
  createContainerPool,
} from '../../../../service/nodes/container/container-pool.ts';
import { fixturePackageFolder } from '../../../support/fixture-containers.ts';
import { nodeInvocation, within } from '../../../support/node-invocation.ts';
import { runSvc, svc } from '../../../support/run-svc.ts';
import { suiteNeeds } from '../../../support/toolchains.ts';

const handlers = path.join(fixturePackageFolder('acme-text'), 'handlers.ts');
// TokenizeRequest{text: "a b"}
const request = Uint8Array.of(0x0a, 3, 0x61, 0x20, 0x62);

suiteNeeds('processes', 'svc node serve', () => {
  let child: ChildProcess | undefined;
  let pool: ContainerPool;

  beforeEach(() => {
    pool = createContainerPool({ allowedHosts: [{ host: '127.0.0.1' }] });
  });
  afterEach(async () => {
    pool.close();
    if (child?.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  });

  const start = async (...args: string[]): Promise<{ endpoint: string; stderr: Promise<string> }> => {
    const started = spawn(svc, ['node', 'serve', ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    child = started;
    const stderr = text(started.stderr);
    for await (const line of createInterface(started.stdout)) return { endpoint: line, stderr };
    throw new Error(`svc node serve did not start: ${await stderr}`);
  };
  const tokenize = (endpoint: string) =>
    pool.invoke(endpoint, nodeInvocation('Tokenize', request), within(5000));

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    it(`serves calls until ${signal}, then exits with 0`, async () => {
      const { endpoint, stderr } = await start(handlers, '--port', '0');
      assert.match(endpoint, /^grpc:\/\/127\.0\.0\.1:\d+$/);
      assert.equal((await tokenize(endpoint)).kind, 'output');
      child!.kill(signal);
      const [code] = (await once(child!, 'exit')) as [number | null];
      assert.equal(code, 0);
      assert.equal(
        await stderr,
        `serving acme/text@1.0.0 (4 nodes) on ${endpoint}\nreceived ${signal}, stopping after the running calls\n`,
      );
      assert.equal((await tokenize(endpoint)).kind, 'unreachable');
    });
  }

  it('exits with 1 when the port is in use', async () => {
    const { endpoint } = await start(fixturePackageFolder('acme-text'));
    const port = endpoint.split(':').at(-1)!;
    const run = await runSvc(['node', 'serve', handlers, '--port', port]);
    assert.deepEqual(run, {
      code: 1,
      stdout: '',
      stderr: `svc: port ${port} of 127.0.0.1 is taken: give another one, or --port 0 for any free port\n`,
    });
  });

  it('exits with 1 when the module is missing', async () => {
    const run = await runSvc(['node', 'serve', '/nowhere/handlers.ts']);
    assert.deepEqual(run, {
      code: 1,
      stdout: '',
      stderr: 'svc: /nowhere/handlers.ts does not exist: give the module that exports the handlers\n',
    });
  });

  it('exits with 2 when the port is invalid', async () => {
    const run = await runSvc(['node', 'serve', handlers, '--port', '70000']);
    assert.deepEqual([run.code, run.stdout], [2, '']);
    assert.match(run.stderr, /--port must be a number from 0 to 65535, not "70000"/);
  });
});
