import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { suiteNeeds } from '../../../support/toolchains.ts';
import { type UnpackedArchives, unpackArchives } from '../../../support/unpacked-archives.ts';

suiteNeeds('chromium', 'show-example.js in archives for browsers', function () {
  this.timeout(120_000);
  let archives: UnpackedArchives;
  let server: Server;
  let answer: (response: ServerResponse) => Promise<void>;

  before(async () => {
    archives = await unpackArchives('typescript-browser', ['flows']);
    server = createServer((request, response) => {
      response.setHeader('access-control-allow-origin', '*');
      response.setHeader('access-control-allow-headers', '*');
      if (request.method === 'OPTIONS') response.end();
      else void answer(response);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  after(async () => {
    server.closeAllConnections();
    server.close();
    await archives.remove();
  });

  function show(...args: string[]): Promise<{ code: number; output: string; errors: string }> {
    const { port } = server.address() as AddressInfo;
    const options = {
      cwd: path.join(archives.root, 'flows'),
      env: { ...process.env, SVC_API_KEY: 'svcapp_test', SVC_BASE_URL: `http://127.0.0.1:${port}` },
    };
    return new Promise((resolve) => {
      execFile('node', ['scripts/show-example.js', ...args], options, (error, output, errors) => {
        resolve({ code: error === null ? 0 : Number(error.code), output, errors });
      });
    });
  }

  it('prints each message of a slow stream', async () => {
    answer = async (response) => {
      response.setHeader('content-type', 'text/event-stream');
      for (const frame of [
        { payload: { text: 'a' } },
        { payload: { text: 'b' } },
        { is_final: true, success: true },
      ]) {
        await pause(500);
        response.write(`data: ${JSON.stringify(frame)}\n\n`);
      }
      response.end();
    };
    const { code, output, errors } = await show('lines');
    assert.equal(code, 0, errors);
    assert.equal(output, '{"text":"a"}\n{"text":"b"}\n');
  });

  it('prints the messages received before a stream fails, and exits with 1', async () => {
    answer = (response) => {
      response.setHeader('content-type', 'text/event-stream');
      response.end(`data: ${JSON.stringify({ payload: { text: 'a' } })}\n\n`);
      return Promise.resolve();
    };
    const { code, output, errors } = await show('lines');
    assert.equal(code, 1);
    assert.equal(output, '{"text":"a"}\n');
    assert.match(errors, /^StreamInterruptedError: /);
  });

  it('lists the examples when the name is unknown or missing', async () => {
    const unknown = await show('line');
    assert.deepEqual([unknown.code, unknown.output], [1, '']);
    assert.match(unknown.errors, /^There is no "line"\. Examples: .*\blines\b/);
    const missing = await show();
    assert.equal(missing.code, 1);
    assert.match(missing.errors, /^The name is missing\. Examples: /);
  });
});
