import assert from 'node:assert/strict';
import { exec } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { suiteNeeds } from '../../../support/toolchains.ts';
import type { PythonArchives, ToolRun } from './python-archives.ts';
import { writePythonArchives } from './python-archives.ts';

interface Manifest {
  setup: string;
  test: string;
  members: { alias: string; example?: string }[];
}

suiteNeeds('python', 'the commands of a Python archive', function () {
  this.timeout(300_000);
  let archives: PythonArchives;
  let folder: string;
  let manifest: Manifest;
  let server: Server;
  let answer: { status: number; body: string };

  before(async () => {
    archives = await writePythonArchives(['basic']);
    folder = path.join(archives.root, 'basic');
    manifest = JSON.parse(await readFile(path.join(folder, 'MANIFEST.json'), 'utf8')) as Manifest;
    server = createServer((request, response) => {
      request.resume().on('end', () => {
        response.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(answer.body);
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  after(async () => {
    server.closeAllConnections();
    server.close();
    await rm(archives.root, { recursive: true, force: true });
  });

  function run(command: string): Promise<ToolRun> {
    const env = {
      ...process.env,
      PIP_DISABLE_PIP_VERSION_CHECK: '1',
      SVC_API_KEY: 'a'.repeat(64),
      SVC_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    };
    return new Promise((resolve) => {
      exec(command, { cwd: folder, env }, (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : (error.code ?? 1), output: `${stdout}${stderr}` });
      });
    });
  }

  function example(alias: string): string {
    return manifest.members.find((member) => member.alias === alias)?.example ?? assert.fail(alias);
  }

  it('set it up and test it', async () => {
    assert.deepEqual(await run(manifest.setup), { code: 0, output: '' });
    const { code, output } = await run(manifest.test);
    assert.equal(code, 0, output);
    assert.match(output, /\d+ passed/);
  });

  it('run an example, which prints the answer as ProtoJSON', async () => {
    answer = { status: 200, body: '{"words": [], "future": 1}' };
    assert.deepEqual(await run(example('tokenize')), { code: 0, output: '{}\n' });
    assert.deepEqual(await run(`${example('tokenize')} '{"text": "a b"}'`), { code: 0, output: '{}\n' });
  });

  it('run an example, which names the error that it meets', async () => {
    answer = { status: 422, body: '{"error_message": "no words"}' };
    const refused = await run(example('tokenize'));
    assert.deepEqual(refused, { code: 1, output: 'NodeFailedError: no words (HTTP 422)\n' });
    const { code, output } = await run(`${example('tokenize')} '{"text": 1}'`);
    assert.equal(code, 1);
    assert.match(output, /^MessageError: TokenizeRequest\.text: expected str/);
  });

  it('name no example for a member that cannot be called yet', () => {
    const later = manifest.members.find(({ alias }) => alias === 'split-lines');
    assert.ok(later !== undefined && !('example' in later));
  });
});
