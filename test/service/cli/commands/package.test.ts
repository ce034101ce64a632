import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { loadPackage } from '../../../../service/nodes/serve/load-package.ts';
import { servePackage } from '../../../../service/nodes/serve/serve-package.ts';
import { itSlow } from '../../../support/fast-run.ts';
import { type Caller, type RunningService, startService } from '../../../support/running-service.ts';
import { fixturePackageFolder } from '../../../support/fixture-containers.ts';
import { startRawContainer } from '../../../support/raw-container.ts';
import { type Run, runInProcess } from '../../../support/run-svc.ts';
import { type TemporaryFolder, temporaryFolder } from '../../../support/temporary-folder.ts';

const proto = 'syntax = "proto3"; package acme.echo; message Text { string text = 1; }';

describe('svc package publish', () => {
  let service: RunningService;
  let acme: Caller;
  let folder: TemporaryFolder;
  before(async () => {
    folder = await temporaryFolder({});
    service = await startService();
    acme = await service.tenant('acme');
  });
  after(async () => {
    await service.stop();
    await folder.remove();
  });

  async function publish(name: string, more = '', ...options: string[]): Promise<Run> {
    const dir = path.join(folder.path, name);
    await mkdir(dir, { recursive: true });
    await writeFile(path.join(dir, 'echo.proto'), proto);
    await writeFile(
      path.join(dir, 'package.yaml'),
      `name: acme/${name}\nversion: 1.0.0\n${more}nodes: [{name: Echo, input: acme.echo.Text, output: acme.echo.Text}]\n`,
    );
    return runInProcess(['package', 'publish', dir, ...options], {
      SVC_BASE_URL: service.url,
      SVC_API_KEY: acme.key,
    });
  }

  it('prints the visibility, which is private by default', async () => {
    const first = await publish('quiet');
    assert.equal(first.code, 0, first.stderr);
    assert.match(first.stderr, /^published acme\/quiet 1\.0\.0 \(private\)\n/);
    assert.match(first.stdout, /^NODE +MODE/);
    const again = await publish('quiet', 'visibility: public\n');
    assert.match(
      again.stderr,
      /^acme\/quiet 1\.0\.0 \(public\) is already published with the same content\n/,
    );
  });

  itSlow('prefers --endpoint to the endpoint of package.yaml', async () => {
    const { code, stderr } = await publish(
      'moved',
      'endpoint: grpc://127.0.0.1:1\n',
      '--endpoint',
      'grpc://127.0.0.1:2',
    );
    assert.equal(code, 0, stderr);
    assert.match(stderr, /grpc:\/\/127\.0\.0\.1:2/);
    assert.doesNotMatch(stderr, /127\.0\.0\.1:1\b/);
    const own = await publish('moved', 'endpoint: grpc://127.0.0.1:1\n');
    assert.match(own.stderr, /grpc:\/\/127\.0\.0\.1:1\b/);
  });

  it('reports the files of protos that do not compile', async () => {
    const dir = path.join(folder.path, 'broken');
    await mkdir(path.join(dir, 'protos/acme'), { recursive: true });
    await writeFile(path.join(dir, 'protos/acme/echo.proto'), `${proto}\nstrin`);
    await writeFile(path.join(dir, 'protos/lost.proto'), 'syntax = "proto3"; import "acme/lost.proto";');
    await writeFile(
      path.join(dir, 'package.yaml'),
      'name: acme/broken\nversion: 1.0.0\nnodes: [{name: Echo, input: acme.echo.Text, output: acme.echo.Text}]\n',
    );
    const env = { SVC_BASE_URL: service.url, SVC_API_KEY: acme.key };
    const { code, stderr } = await runInProcess(['package', 'publish', dir], env);
    assert.equal(code, 1);
    assert.ok(
      stderr.startsWith(`svc: the protos do not compile: ${dir}/protos/acme/echo.proto:2:1: `),
      stderr,
    );
    assert.doesNotMatch(stderr, /[; ](?:acme\/echo|lost)\.proto:/);
  });

  it('reads proto errors from the fields of the response, not from its text', async () => {
    const diagnostics = [
      { file: 'echo.proto', line: 0, column: 0, message: 'it is too long' },
      { file: 'else.proto', line: 1, column: 2, message: 'unexpected; echo.proto:1:1: in a string' },
    ];
    const body = { error: 'the sources are wrong', code: 'protos_do_not_compile', diagnostics };
    const server = createServer((_, response) => {
      response.writeHead(400, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { code, stderr } = await publish('long', '', '--url', url);
    server.close();
    const file = path.join(folder.path, 'long/echo.proto');
    assert.deepEqual(
      [code, stderr],
      [
        1,
        `svc: the protos do not compile: ${file}: it is too long; else.proto:1:2: unexpected; echo.proto:1:1: in a string\n`,
      ],
    );
  });

  it('explains what happens to the deployment without an endpoint', async () => {
    const first = await publish('resting');
    assert.match(
      first.stderr,
      /\nthe version has no endpoint, so its nodes answer 404: once its container runs, svc package deploy acme\/resting@1\.0\.0 --endpoint <grpc:\/\/host:port> says where it is\n/,
    );
    await publish('resting', '', '--endpoint', 'grpc://127.0.0.1:1');
    const again = await publish('resting');
    assert.match(
      again.stderr,
      /\nthe deployment stays as it was: run svc package list acme\/resting to see whether 1\.0\.0 has one\n$/,
    );
  });

  it('prints the warnings of the service', async () => {
    const { code, stderr } = await publish('silent', '', '--endpoint', 'grpc://127.0.0.1:1');
    assert.equal(code, 0, stderr);
    assert.match(
      stderr,
      /^published acme\/silent 1\.0\.0 \(private\)\nwarning: .*grpc:\/\/127\.0\.0\.1:1.*could not connect to node/,
    );
  });

  it('escapes the message of a container in a warning', async () => {
    const container = await startRawContainer((stream) => {
      const details = encodeURIComponent('\u001b[2J\nall is well');
      const headers = { 'content-type': 'application/grpc', 'grpc-status': '13', 'grpc-message': details };
      stream.respond({ ':status': 200, ...headers }, { endStream: true });
    });
    try {
      const { code, stderr } = await publish('escapes', '', '--endpoint', container.endpoint);
      assert.equal(code, 0, stderr);
      assert.match(stderr, /\nwarning: .*INTERNAL: \\u001b\[2J\\u000aall is well/);
    } finally {
      await container.stop();
    }
  });

  describe('with --token-file', () => {
    const token = 'token-of-the-deployment';
    const folderOfText = fixturePackageFolder('acme-text');
    const publishText = async (endpoint: string, file?: string): Promise<Run> => {
      const tokenFile = file === undefined ? [] : ['--token-file', path.join(folder.path, file)];
      return runInProcess(['package', 'publish', folderOfText, '--endpoint', endpoint, ...tokenFile], {
        SVC_BASE_URL: service.url,
        SVC_API_KEY: acme.key,
      });
    };

    itSlow('publishes the token that the container expects', async () => {
      await writeFile(path.join(folder.path, 'token'), `${token}\n`);
      const hosted = await loadPackage(folderOfText);
      const container = await servePackage(hosted, { port: 0, report: () => undefined, token });
      try {
        const bare = await publishText(container.endpoint);
        assert.equal(bare.code, 0, bare.stderr);
        assert.match(bare.stderr, /\nwarning: .*UNAUTHENTICATED: the call has no token/);
        const { code, stderr } = await publishText(container.endpoint, 'token');
        assert.equal(code, 0, stderr);
        assert.doesNotMatch(stderr, /warning/);
        const call = await acme.post('/invocations/v1/nodes/acme/text/1.0.0/Tokenize', { text: 'a b' });
        assert.equal(call.status, 200, JSON.stringify(call.body));
      } finally {
        await container.stop(0);
      }
    });

    it('refuses a file without a valid token, without printing it', async () => {
      await writeFile(path.join(folder.path, 'short'), 'too-short');
      const invalid = await publishText('grpc://127.0.0.1:1', 'short');
      assert.equal(invalid.code, 1);
      assert.match(invalid.stderr, /^svc: the token in .*short is invalid \(/);
      assert.doesNotMatch(invalid.stderr, /too-short/);
      const missing = await publishText('grpc://127.0.0.1:1', 'none');
      assert.equal(missing.code, 1);
      assert.match(
        missing.stderr,
        /^svc: the token file .*none cannot be read \(no such file\): give a file that has the token alone\n$/,
      );
    });
  });
});
