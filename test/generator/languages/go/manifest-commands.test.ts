import assert from 'node:assert/strict';
import { exec } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { ToolRun } from '../../../support/go-tools.ts';
import { goEnv } from '../../../support/go-tools.ts';
import { suiteNeeds } from '../../../support/toolchains.ts';
import type { GoArchives } from './go-archives.ts';
import { writeGoArchives } from './go-archives.ts';

interface Manifest {
  setup: string;
  test: string;
  members: { alias: string; example?: string }[];
}

suiteNeeds('go', 'the commands of a Go archive', function () {
  this.timeout(600_000);
  let archives: GoArchives;
  let server: Server;
  let answer: { status: number; body: string };

  before(async () => {
    archives = await writeGoArchives(['basic', 'flows', 'deprecated', 'well-known']);
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
    await archives.remove();
  });

  async function manifestOf(name: string): Promise<Manifest> {
    return JSON.parse(await readFile(path.join(archives.root, name, 'MANIFEST.json'), 'utf8')) as Manifest;
  }

  function run(name: string, command: string): Promise<ToolRun> {
    const env = {
      ...process.env,
      ...goEnv,
      // As a tenant runs it: the archive's folder alone.
      GOWORK: 'off',
      SVC_API_KEY: 'a'.repeat(64),
      SVC_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    };
    return new Promise((resolve) => {
      exec(command, { cwd: path.join(archives.root, name), env }, (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : (error.code ?? 1), output: `${stdout}${stderr}` });
      });
    });
  }

  async function example(name: string, alias: string): Promise<string> {
    const { members } = await manifestOf(name);
    return members.find((member) => member.alias === alias)?.example ?? assert.fail(alias);
  }

  for (const name of ['basic', 'flows'])
    it(`set it up and test it: ${name}`, async () => {
      const { setup, test } = await manifestOf(name);
      assert.deepEqual(await run(name, setup), { code: 0, output: '' });
      const { code, output } = await run(name, test);
      assert.equal(code, 0, output);
      assert.equal(output.match(/^ok /gm)?.length, 2, output);
    });

  it('run an example, which prints the answer as ProtoJSON', async () => {
    const command = await example('basic', 'tokenize');
    answer = { status: 200, body: '{"words": [], "future": 1}' };
    assert.deepEqual(await run('basic', command), { code: 0, output: '{}\n' });
    assert.deepEqual(await run('basic', `${command} '{"text": "a b"}'`), { code: 0, output: '{}\n' });
  });

  it('run the example of a flow, and one whose messages are deprecated', async () => {
    answer = {
      status: 200,
      body: `{"execution_id": "${'0'.repeat(32)}", "result": {"success": true, "output": {}}}`,
    };
    assert.deepEqual(await run('flows', await example('flows', 'summarize')), { code: 0, output: '{}\n' });
    const { members } = await manifestOf('deprecated');
    answer = { status: 200, body: '{}' };
    for (const { example: command = '' } of members)
      assert.deepEqual(await run('deprecated', command), { code: 0, output: '{}\n' });
  });

  it('run an example, which names the error that it meets', async () => {
    const command = await example('basic', 'tokenize');
    answer = { status: 422, body: '{"error_message": "no words"}' };
    const refused = await run('basic', command);
    assert.equal(refused.code, 1);
    assert.match(refused.output, /^NodeFailedError: no words \(HTTP 422\)\n/);
    const { code, output } = await run('basic', `${command} '{"text": 1}'`);
    assert.equal(code, 1);
    assert.match(output, /^MessageError: acme\.text\.v1\.TokenizeRequest: text: expected a string/);
    assert.match((await run('basic', `${command} '{'`)).output, /^MessageError: .*not JSON/);
  });

  it('name no example for a member that cannot be called yet', async () => {
    const { members } = await manifestOf('basic');
    const later = members.find(({ alias }) => alias === 'split-lines');
    assert.ok(later !== undefined && !('example' in later));
  });
});
