import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { suiteNeeds } from '../../../support/toolchains.ts';
import { renderedFixtures } from './rendered-fixtures.ts';
import type { RenderedFixture } from './rendered-fixtures.ts';

suiteNeeds('npm', 'the TypeScript archive', function () {
  this.timeout(300_000);
  let folder: string;
  let server: Server;
  let environment: Record<string, string>;
  const answers: { status: number; body: string }[] = [];

  before(async () => {
    const fixtures = await renderedFixtures();
    folder = await mkdtemp(path.join(tmpdir(), 'svc-typescript-'));
    await unpack(
      fixtures.find(({ name }) => name === 'basic')!,
      folder,
    );
    server = createServer((_, response) => {
      const { status, body } = answers.shift() ?? { status: 500, body: '{}' };
      response.writeHead(status, { 'content-type': 'application/json', 'x-execution-id': 'ab12' }).end(body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    environment = { SVC_API_KEY: '5ec2e7', SVC_BASE_URL: `http://127.0.0.1:${port}` };
  });

  after(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await rm(folder, { recursive: true });
  });

  it('passes its own tests with the commands of its manifest', async () => {
    const { setup, test } = manifest(await renderedFixtures());
    const installed = await run(setup);
    assert.equal(installed.code, 0, installed.output);
    const tested = await run(test);
    assert.equal(tested.code, 0, tested.output);
    assert.match(tested.output, /pass [1-9]/);
    assert.match(tested.output, /fail 0/);
  });

  it('loads as an ES module and as a CommonJS module', async () => {
    const load = 'Object.keys(sdk).includes("AcmeTextClient") ? "loaded" : "empty"';
    const esm = await run(
      `node --input-type=module -e 'import * as sdk from "@acme/acme-text"; console.log(${load})'`,
    );
    const cjs = await run(
      `node --input-type=commonjs -e 'const sdk = require("@acme/acme-text"); console.log(${load})'`,
    );
    assert.equal(esm.output.trim(), 'loaded');
    assert.equal(cjs.output.trim(), 'loaded');
  });

  it('passes its own type check', async () => {
    const checked = await run('npm run check');
    assert.equal(checked.code, 0, checked.output);
  });

  it('has an example that prints the response as ProtoJSON', async () => {
    answers.push({ status: 200, body: '{"words": [{"text": "hi", "unknown": 1}]}' });
    const { members } = manifest(await renderedFixtures());
    const { example } = members.find(({ alias }) => alias === 'tokenize')!;
    const called = await run(`${example!} '{"text": "hi"}'`);
    assert.equal(called.code, 0, called.output);
    assert.doesNotThrow(() => JSON.parse(called.output) as unknown, called.output);
  });

  it('has an example that prints the class and message of an error and exits with 1', async () => {
    answers.push({ status: 422, body: '{"error_message": "no words"}' });
    const { members } = manifest(await renderedFixtures());
    const { example } = members.find(({ alias }) => alias === 'tokenize')!;
    const called = await run(example!);
    assert.equal(called.code, 1);
    assert.equal(called.output, 'NodeFailedError: no words (HTTP 422, execution ab12)\n');
  });

  /** Runs a shell command in the archive's folder. */
  function run(command: string): Promise<{ code: number; output: string }> {
    return new Promise((resolve) => {
      const env = { ...process.env, ...environment };
      execFile('sh', ['-c', command], { cwd: folder, env, encoding: 'utf8' }, (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : Number(error.code), output: `${stdout}${stderr}` });
      });
    });
  }
});

interface Manifest {
  setup: string;
  test: string;
  members: { alias: string; example?: string }[];
}

function manifest(fixtures: readonly RenderedFixture[]): Manifest {
  const text = fixtures.find(({ name }) => name === 'basic')?.files.get('MANIFEST.json');
  return JSON.parse(text ?? '{}') as Manifest;
}

async function unpack({ files, compiled = new Map() }: RenderedFixture, folder: string): Promise<void> {
  for (const [file, text] of [...files, ...compiled]) {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    await writeFile(path.join(folder, file), text);
  }
}
