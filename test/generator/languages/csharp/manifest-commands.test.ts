import assert from 'node:assert/strict';
import { exec } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { DOTNET_TIMEOUT_MS, dotnetEnv } from '../../../support/dotnet.ts';
import { suiteNeeds } from '../../../support/toolchains.ts';
import { type UnpackedArchives, unpackArchives } from '../../../support/unpacked-archives.ts';

interface Manifest {
  setup: string;
  test: string;
  members: { alias: string; example?: string }[];
}

suiteNeeds('dotnet', 'the commands of a C# archive', function () {
  this.timeout(DOTNET_TIMEOUT_MS);
  let archives: UnpackedArchives;
  let folder: string;
  let manifest: Manifest;
  let server: Server;
  let answer: { status: number; body: string; type?: string };

  before(async () => {
    archives = await unpackArchives('csharp', ['basic']);
    folder = path.join(archives.root, 'basic');
    manifest = JSON.parse(await readFile(path.join(folder, 'MANIFEST.json'), 'utf8')) as Manifest;
    server = createServer((request, response) => {
      request.resume().on('end', () => {
        const { status, body, type = 'application/json' } = answer;
        response.writeHead(status, { 'Content-Type': type }).end(body);
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  after(async () => {
    server.closeAllConnections();
    server.close();
    await archives.remove();
  });

  function run(command: string): Promise<{ code: number; stdout: string; stderr: string }> {
    const env = {
      ...process.env,
      ...dotnetEnv,
      SVC_API_KEY: 'a'.repeat(64),
      SVC_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    };
    return new Promise((resolve) => {
      exec(command, { cwd: folder, env }, (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : (error.code ?? 1), stdout, stderr });
      });
    });
  }

  it('set up and test the archive', async () => {
    const setup = await run(manifest.setup);
    assert.equal(setup.code, 0, setup.stdout);
    const test = await run(manifest.test);
    assert.equal(test.code, 0, test.stdout);
    assert.match(test.stdout, /Failed: +0, Passed: +[1-9]/);
  });

  it('fail the tests when the project does not build', async () => {
    const project = path.join(folder, 'src/Acme.AcmeText.csproj');
    const text = await readFile(project, 'utf8');
    await writeFile(project, text.replace('</Description>', '&</Description>'));
    try {
      assert.notEqual((await run(manifest.test)).code, 0);
    } finally {
      await writeFile(project, text);
    }
  });

  it('run an example that reports errors and exits with 1', async () => {
    const { alias, example = '' } = manifest.members.find((member) => member.example !== undefined) ?? {};
    assert.ok(example, alias);
    answer = { status: 200, body: '{}' };
    const sample = await run(example);
    assert.deepEqual(
      { code: sample.code, stdout: sample.stdout },
      { code: 0, stdout: '{}\n' },
      sample.stderr,
    );
    answer = { status: 404, body: '{"error":"not_found","message":"there is no such node"}' };
    const failed = await run(`${example} '{}'`);
    assert.equal(failed.code, 1);
    assert.match(failed.stderr, /^NotFoundException: there is no such node \(HTTP 404\)$/m);
    const refused = await run(`${example} '[]'`);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /^ValueException: \w+: expected an object, got a list$/m);
    const misspelt = await run(`${example} '{"txt":"a"}'`);
    assert.equal(misspelt.code, 1);
    assert.match(misspelt.stderr, /^ValueException: \w+: txt: unknown field$/m);
  });

  it('run a stream example that prints one output per line and reports an interruption', async () => {
    const { example = '' } = manifest.members.find(({ alias }) => alias === 'split-lines') ?? {};
    const type = 'text/event-stream';
    const frame = 'data: {"payload": {}}\n\n';
    const last = 'data: {"is_final": true, "success": true}\n\n';
    answer = { status: 200, body: `${frame}${frame}${last}`, type };
    const whole = await run(example);
    assert.deepEqual(
      { code: whole.code, stdout: whole.stdout },
      { code: 0, stdout: '{}\n{}\n' },
      whole.stderr,
    );
    answer = { status: 200, body: frame, type };
    const cut = await run(example);
    assert.deepEqual({ code: cut.code, stdout: cut.stdout }, { code: 1, stdout: '{}\n' });
    assert.match(
      cut.stderr,
      /^StreamInterruptedException: the stream was cut off: there was no last frame$/m,
    );
  });
});
