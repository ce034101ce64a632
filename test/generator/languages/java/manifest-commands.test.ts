import assert from 'node:assert/strict';
import { exec } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { JavaRun } from '../../../support/java-tools.ts';
import { JAVA_TOOLS_TIMEOUT_MS } from '../../../support/java-tools.ts';
import { suiteNeeds } from '../../../support/toolchains.ts';
import type { JavaArchives } from './java-archives.ts';
import { writeJavaArchives } from './java-archives.ts';

interface Manifest {
  setup: string;
  test: string;
  members: { alias: string; example?: string }[];
}

suiteNeeds('java', 'the commands of a Java archive', function () {
  this.timeout(120_000);
  let archives: JavaArchives;
  let server: Server;
  let answer: { status: number; body: string };

  before(async () => {
    archives = await writeJavaArchives(['basic', 'flows']);
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

  function run(name: string, command: string): Promise<JavaRun> {
    const env = {
      ...process.env,
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
    it(`set it up and test it: ${name}`, async function () {
      this.timeout(JAVA_TOOLS_TIMEOUT_MS);
      const { setup, test } = await manifestOf(name);
      for (const command of [setup, test]) {
        const { code, output } = await run(name, command);
        // What Maven prints before it knows that it is to be quiet.
        assert.equal(output.replaceAll('\u001b[0m', ''), '');
        assert.equal(code, 0);
      }
    });

  it('run every test of the archive', async () => {
    const reports = path.join(archives.root, 'basic/target/surefire-reports');
    const report = await readFile(path.join(reports, 'TEST-svc.acme.acme_text.core.CallTest.xml'), 'utf8');
    assert.match(report, /tests="1[0-9]" errors="0" skipped="0" failures="0"/);
  });

  it('run an example, which prints the answer as ProtoJSON', async () => {
    const command = await example('basic', 'tokenize');
    answer = { status: 200, body: '{"words": [], "future": 1}' };
    assert.deepEqual(await run('basic', command), { code: 0, output: '{}\n' });
    assert.deepEqual(await run('basic', `${command} '{"text": "größe"}'`), { code: 0, output: '{}\n' });
  });

  it('run the example of a flow', async () => {
    answer = {
      status: 200,
      body: `{"execution_id": "${'0'.repeat(32)}", "result": {"success": true, "output": {}}}`,
    };
    assert.deepEqual(await run('flows', await example('flows', 'summarize')), { code: 0, output: '{}\n' });
  });

  it('run an example, which names the error that it meets', async () => {
    const command = await example('basic', 'tokenize');
    answer = { status: 422, body: '{"error_message": "keine Wörter"}' };
    assert.deepEqual(await run('basic', command), {
      code: 1,
      output: 'NodeFailedException: keine Wörter (HTTP 422)\n',
    });
    const { code, output } = await run('basic', `${command} '{"text": 1}'`);
    assert.equal(code, 1);
    assert.match(
      output,
      /^InvalidMessageException: acme\.text\.v1\.TokenizeRequest: text: expected a string/,
    );
    assert.match((await run('basic', `${command} '{'`)).output, /^InvalidMessageException: .*not JSON/);
  });

  it('name no example for a member that cannot be called yet', async () => {
    const { members } = await manifestOf('basic');
    const later = members.find(({ alias }) => alias === 'split-lines');
    assert.ok(later !== undefined && !('example' in later));
  });
});
