import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { CARGO_TIMEOUT_MS, type CargoRun, runCargo } from '../../../support/cargo.ts';
import { suiteNeeds } from '../../../support/toolchains.ts';
import { writeRustWorkspace } from './rust-workspace.ts';

interface Manifest {
  setup: string;
  test: string;
  members: { alias: string; example?: string }[];
}

/** As a tenant would run them: with TLS, which no other suite builds. */
suiteNeeds('rust', 'the commands of a Rust archive', function () {
  this.timeout(CARGO_TIMEOUT_MS);
  let folder: string;
  let manifest: Manifest;
  let server: Server;
  let answer: { status: number; body: string; type?: string };

  before(async () => {
    const { root } = await writeRustWorkspace('commands', ['basic']);
    folder = path.join(root, 'basic');
    manifest = JSON.parse(await readFile(path.join(folder, 'MANIFEST.json'), 'utf8')) as Manifest;
    server = createServer((request, response) => {
      request.resume().on('end', () => {
        const { status, body, type = 'application/json' } = answer;
        response.writeHead(status, { 'Content-Type': type }).end(body);
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  function run(command: string): Promise<CargoRun> {
    const env = {
      SVC_API_KEY: 'a'.repeat(64),
      SVC_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    };
    return runCargo(['-c', command], { cwd: folder, env, program: 'sh' });
  }

  function example(alias: string): string {
    return manifest.members.find((member) => member.alias === alias)?.example ?? assert.fail(alias);
  }

  it('set up and test the archive', async () => {
    assert.deepEqual(await run(manifest.setup), { code: 0, output: '' });
    const { code, output } = await run(manifest.test);
    assert.equal(code, 0, output);
    assert.match(output, /test result: ok\. \d+ passed/);
  });

  it('run an example that prints the response as ProtoJSON', async () => {
    answer = { status: 200, body: '{"words": [], "future": 1}' };
    assert.deepEqual(await run(example('tokenize')), { code: 0, output: '{}\n' });
    assert.deepEqual(await run(`${example('tokenize')} '{"text": "a b"}'`), { code: 0, output: '{}\n' });
  });

  it('run an example that reports errors and exits with 1', async () => {
    answer = { status: 422, body: '{"error_message": "no words"}' };
    const refused = await run(example('tokenize'));
    assert.deepEqual(refused, { code: 1, output: 'NodeFailed: no words (HTTP 422)\n' });
    const { code, output } = await run(`${example('tokenize')} '{"text": 1}'`);
    assert.equal(code, 1);
    assert.equal(output, 'Message: TokenizeRequest.text: expected string, got number 1\n');
  });

  it('run an example that rejects an unknown input field', async () => {
    answer = { status: 200, body: '{}' };
    const { code, output } = await run(`${example('tokenize')} '{"txt": "a b"}'`);
    assert.equal(code, 1);
    assert.equal(output, 'Message: TokenizeRequest.txt: unknown field\n');
  });

  it('run a stream example that prints one output per line and reports an interruption', async () => {
    const command = example('split-lines');
    const frame = 'data: {"payload": {}}\n\n';
    const last = 'data: {"is_final": true, "success": true}\n\n';
    answer = { status: 200, body: `${frame}${frame}${last}`, type: 'text/event-stream' };
    assert.deepEqual(await run(command), { code: 0, output: '{}\n{}\n' });
    answer = { ...answer, body: frame };
    const { code, output } = await run(command);
    assert.equal(code, 1);
    assert.match(output, /StreamInterrupted: the stream was cut off/);
  });

  it('leave a package that can be published', async () => {
    const { code, output } = await runCargo(['package', '--list', '--allow-dirty'], { cwd: folder });
    assert.equal(code, 0, output);
    assert.doesNotMatch(output, /no license/);
    for (const file of ['Cargo.toml', 'LICENSE', 'README.md', 'src/lib.rs', 'src/tests/samples.json'])
      assert.match(output, new RegExp(`^${file.replaceAll('.', String.raw`\.`)}$`, 'm'));
  });
});
