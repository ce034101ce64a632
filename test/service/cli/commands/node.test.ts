import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { containerCredentials } from '../../../../service/nodes/container/container-credentials.ts';
import {
  type ContainerPool,
  createContainerPool,
} from '../../../../service/nodes/container/container-pool.ts';
import { fixturePackageFolder } from '../../../support/fixture-containers.ts';
import { nodeInvocation, within } from '../../../support/node-invocation.ts';
import { runSvc, svc } from '../../../support/run-svc.ts';
import { type TemporaryFolder, temporaryFolder } from '../../../support/temporary-folder.ts';
import { tlsFile } from '../../../support/tls-files.ts';
import { suiteNeeds } from '../../../support/toolchains.ts';

const handlers = path.join(fixturePackageFolder('acme-text'), 'handlers.ts');
// TokenizeRequest{text: "a b"}
const request = Uint8Array.of(0x0a, 3, 0x61, 0x20, 0x62);

suiteNeeds('processes', 'svc node serve', () => {
  let child: ChildProcess | undefined;
  let pool: ContainerPool;

  beforeEach(() => {
    pool = createContainerPool({
      allowedHosts: [{ host: '127.0.0.1' }],
      tls: () => containerCredentials(readFileSync(tlsFile('authority.pem'), 'utf8')),
    });
  });
  afterEach(async () => {
    pool.close();
    if (child?.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  });

  const start = (...args: string[]) => startWith({}, ...args);
  const startWith = async (
    env: Record<string, string>,
    ...args: string[]
  ): Promise<{ endpoint: string; stderr: Promise<string> }> => {
    const started = spawn(svc, ['node', 'serve', ...args], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child = started;
    const stderr = text(started.stderr);
    for await (const line of createInterface(started.stdout)) return { endpoint: line, stderr };
    throw new Error(`svc node serve did not start: ${await stderr}`);
  };
  const tokenize = (endpoint: string, access: { token?: string } = {}) =>
    pool.invoke(endpoint, nodeInvocation('Tokenize', request), { ...within(5000), ...access });

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

  it('serves with TLS when given a certificate and a key', async () => {
    const tls = ['--tls-cert', tlsFile('loopback.pem'), '--tls-key', tlsFile('loopback.key')];
    const { endpoint } = await start(handlers, ...tls);
    assert.match(endpoint, /^grpcs:\/\/127\.0\.0\.1:\d+$/);
    assert.equal((await tokenize(endpoint)).kind, 'output');
    const plain = await tokenize(endpoint.replace('grpcs', 'grpc'));
    assert.equal(plain.kind, 'unreachable');
  });

  it('exits before listening when the certificate and key cannot be used', async () => {
    const [cert, key] = [tlsFile('loopback.pem'), tlsFile('loopback.key')];
    const cases: [number, string[], RegExp][] = [
      [2, ['--tls-cert', cert], /--tls-cert and --tls-key belong together: give both/],
      [2, ['--tls-key', key], /--tls-cert and --tls-key belong together: give both/],
      [
        1,
        ['--tls-cert', '/nowhere/cert.pem', '--tls-key', key],
        /^svc: \/nowhere\/cert\.pem cannot be read \(ENOENT/,
      ],
      [
        1,
        ['--tls-cert', cert, '--tls-key', tlsFile('elsewhere.key')],
        /^svc: the TLS certificate and key cannot be used \(.*mismatch/,
      ],
    ];
    for (const [code, args, text] of cases) {
      const run = await runSvc(['node', 'serve', handlers, ...args]);
      assert.deepEqual([run.code, run.stdout], [code, ''], args.join(' '));
      assert.match(run.stderr, text);
    }
  });

  describe('with a token', () => {
    const token = 'token-of-the-deployment';
    const other = 'another-token-of-it';
    let folder: TemporaryFolder;
    before(async () => {
      folder = await temporaryFolder({ token: `${token}\n`, short: 'too-short\n' });
    });
    after(() => folder.remove());

    const refuses = async (endpoint: string, access: { token?: string }): Promise<void> => {
      const outcome = await tokenize(endpoint, access);
      assert.equal(outcome.kind === 'unreachable' && outcome.message.includes('UNAUTHENTICATED'), true);
    };

    it('refuses calls without the token of a file', async () => {
      const file = path.join(folder.path, 'token');
      const { endpoint } = await startWith({ SVC_NODE_TOKEN: other }, handlers, '--token-file', file);
      assert.equal((await tokenize(endpoint, { token })).kind, 'output');
      await refuses(endpoint, {});
      await refuses(endpoint, { token: other });
    });

    it('refuses calls without the token of SVC_NODE_TOKEN', async () => {
      const { endpoint } = await startWith({ SVC_NODE_TOKEN: token }, handlers);
      assert.equal((await tokenize(endpoint, { token })).kind, 'output');
      await refuses(endpoint, {});
    });

    it('exits with 1 when the token is invalid or missing, without printing it', async () => {
      const short = path.join(folder.path, 'short');
      const cases: [string[], Record<string, string>, RegExp][] = [
        [
          ['--token-file', short],
          {},
          /^svc: the token in .*short is invalid \(must have at least 16 characters\): .*openssl rand -hex 32/,
        ],
        [
          ['--token-file', '/nowhere/token'],
          {},
          /^svc: the token file \/nowhere\/token cannot be read \(no such file\): give a file that has the token alone$/m,
        ],
        [[], { SVC_NODE_TOKEN: '' }, /^svc: SVC_NODE_TOKEN is empty: set it to the token, or unset it$/m],
        [[], { SVC_NODE_TOKEN: 'too-short' }, /^svc: SVC_NODE_TOKEN is invalid \(must have at least 16 /],
      ];
      for (const [args, env, text] of cases) {
        const run = await runSvc(['node', 'serve', handlers, ...args], { env });
        assert.deepEqual([run.code, run.stdout], [1, '']);
        assert.match(run.stderr, text);
        assert.doesNotMatch(run.stderr, /too-short/);
      }
    });
  });
});
