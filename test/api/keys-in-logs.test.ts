import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import SqliteConnection from 'better-sqlite3';
import { openRaw } from '../support/raw-connection.ts';
import { runInProcess } from '../support/run-svc.ts';
import { type ServeProcess, startServeProcess } from '../support/serve-process.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { stepPackage, twoSteps } from '../support/step-package.ts';
import { suiteNeeds } from '../support/toolchains.ts';
import { until } from '../support/until.ts';

/** The encodings in which a text may appear, including plain text and decimal bytes. */
function formsOf(key: string): Record<string, string> {
  const bytes = Buffer.from(key);
  const numbers = (radix: number, between: string): string =>
    [...bytes].map((byte) => byte.toString(radix)).join(between);
  // Base64 of a longer text contains that of the key at one of three offsets, without the characters at its ends.
  const base64 = [0, 1, 2].map((offset) =>
    Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .slice(offset === 0 ? 0 : 4, -4),
  );
  return {
    plain: key,
    'upper case': key.toUpperCase(),
    reversed: Array.from(key).reverse().join(''),
    'reversed pairs': key.replaceAll(/(.)(.)/g, '$2$1'),
    hex: bytes.toString('hex'),
    'hex with spaces': numbers(16, ' '),
    'decimal bytes': numbers(10, ','),
    'decimal bytes with spaces': numbers(10, ', '),
    octal: numbers(8, '\\'),
    'URL encoding': [...bytes].map((byte) => `%${byte.toString(16)}`).join(''),
    'UTF-16': bytes.toString('latin1').split('').join('\0'),
    'escaped UTF-16': Array.from(key)
      .map((one) => `\\u00${one.charCodeAt(0).toString(16)}`)
      .join(''),
    ...Object.fromEntries(base64.map((form, offset) => [`base64 at offset ${offset}`, form])),
  };
}

/** The names of the encodings of a key that a text contains. */
function findKey(text: string, key: string): string[] {
  const found = text.toLowerCase();
  return Object.entries(formsOf(key)).flatMap(([name, form]) =>
    (name.startsWith('base64') ? text.includes(form) : found.includes(form.toLowerCase())) ? [name] : [],
  );
}

describe('the search for keys', () => {
  it('finds a key in every encoding', () => {
    const key = 'svcapp_0123456789abcdef'.padEnd(71, '0123456789abcdef');
    const packet = Buffer.from(`Authorization: Bearer ${key}\r\n`);
    const texts: Record<string, string> = {
      plain: `"${key}"`,
      'decimal bytes': JSON.stringify(packet),
      hex: packet.toString('hex'),
      'UTF-16': packet.toString('utf16le').length > 0 ? Buffer.from(key, 'utf16le').toString('latin1') : '',
    };
    for (const [form, text] of Object.entries(texts)) assert.ok(findKey(text, key).includes(form), form);
    assert.equal(findKey(packet.toString('base64'), key).length, 1);
    assert.deepEqual(findKey('nothing', key), []);
  });
});

suiteNeeds('processes', 'svc serve at log level trace', () => {
  let folder: TemporaryFolder;
  let service: ServeProcess;
  let keys: { full: string; app: string };

  before(async function () {
    this.timeout(60_000);
    folder = await temporaryFolder({});
    const env = { SVC_DATA_DIR: folder.path, SVC_SYNC: 'off' };
    await runInProcess(['tenant', 'create', 'acme'], env);
    const limits = ['--rps', '10000', '--burst', '10000', '--invocation-rps', '10000'];
    await runInProcess(['tenant', 'limits', 'acme', ...limits, '--invocation-burst', '10000'], env);
    const full = (await runInProcess(['key', 'create', '--tenant', 'acme'], env)).stdout.trim();
    service = await startServeProcess({ ...env, SVC_LOG_LEVEL: 'trace' });
    const post = async (route: string, body: object): Promise<Record<string, string>> => {
      const headers = { authorization: `Bearer ${full}` };
      const answer = await fetch(service.url + route, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      });
      return (await answer.json()) as Record<string, string>;
    };
    await post('/api/v1/packages', stepPackage());
    const { graph_id: graph } = await post('/api/v1/graphs/compile', twoSteps());
    const asked = { name: 'shop', graph_ids: [graph], rate_rps: 1000, rate_burst: 1000 };
    const { key: app = '' } = await post('/api/v1/api-keys', asked);
    keys = { full, app };
  });
  after(async () => {
    await service.kill();
    await folder.remove();
  });

  /** Sends a text on a new connection, and waits until the service has handled it. */
  async function send(text: string): Promise<void> {
    const connection = await openRaw(service.url);
    connection.send(text);
    connection.socket.end();
    await connection.closed;
  }

  const head = (key: string, line: string, ...fields: string[]): string =>
    [line, 'Host: svc', `Authorization: Bearer ${key}`, ...fields, '', ''].join('\r\n');
  const invoke = 'POST /invocations/v1/flows/invoke HTTP/1.1';
  const chunked = 'Transfer-Encoding: chunked';

  const requests: Record<string, (key: string) => string> = {
    'a malformed chunk after a valid head': (key) => `${head(key, invoke, chunked)}ZZ\r\n`,
    'a malformed chunk after a valid chunk': (key) => `${head(key, invoke, chunked)}1\r\n{\r\nZZ\r\n`,
    'a malformed chunk to a management route': (key) =>
      `${head(key, 'POST /api/v1/packages HTTP/1.1', chunked)}ZZ\r\n`,
    'a malformed chunk to no route': (key) => `${head(key, 'POST /nowhere HTTP/1.1', chunked)}ZZ\r\n`,
    'a malformed chunk to a node': (key) =>
      `${head(key, 'POST /invocations/v1/nodes/a/b/1.0.0/c HTTP/1.1', chunked)}-1\r\n`,
    'a body that is cut off': (key) => `${head(key, invoke, 'Content-Length: 100')}{"graph_id"`,
    'a malformed header': (key) => head(key, invoke, 'Bad Header\x01: 1'),
    'a malformed content length': (key) => head(key, invoke, 'Content-Length: 1x'),
    'both Content-Length and Transfer-Encoding': (key) => head(key, invoke, chunked, 'Content-Length: 3'),
    'an oversized head': (key) => head(key, invoke, `X-Large: ${'x'.repeat(100_000)}`),
    'an oversized key': (key) => head(key.repeat(1000), invoke),
    'a malformed method': (key) => head(key, 'P\x01ST / HTTP/1.1'),
    'a malformed version': (key) => head(key, 'POST / HTTP/9.9'),
    'a key in place of the method': (key) => `${key} ${key} ${key}\r\n\r\n`,
    'a key in the path': (key) => head(key, `GET /api/v1/packages/${key}/${key} HTTP/1.1`),
    'a key in a path with malformed escapes': (key) =>
      head(key, `GET /api/v1/packages/%zz${key}/%ff HTTP/1.1`),
    'a key in an unknown path': (key) => head(key, `GET /${key} HTTP/1.1`),
    'a key in the query': (key) => head(key, `GET /api/v1/graphs?cursor=${key}&limit=${key} HTTP/1.1`),
    'a key in the body': (key) => {
      const body = `{"graph_id": "${key}", "input": ${key}`;
      return `${head(key, invoke, `Content-Length: ${body.length}`)}${body}`;
    },
    'a key in a cookie and an origin': (key) =>
      head(key, invoke, `Cookie: ${key}`, `Origin: https://${key}`, 'Content-Length: 0'),
    'a trace parent of a key': (key) => head(key, invoke, `Traceparent: ${key}`, 'Content-Length: 0'),
    'a WebSocket upgrade': (key) =>
      head(
        key,
        'GET /invocations/v1/executions/x/stream HTTP/1.1',
        'Connection: Upgrade',
        'Upgrade: websocket',
        `Sec-WebSocket-Protocol: ${key}`,
        'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
        'Sec-WebSocket-Version: 13',
      ),
    'a tunnel': (key) => head(key, `CONNECT ${key}:443 HTTP/1.1`),
    'TLS to a port without it': (key) => `\x16\x03\x01\x02\x00\x01\x00${key}`,
  };

  for (const [title, request] of Object.entries(requests)) {
    it(`logs no key after ${title}`, async () => {
      for (const key of Object.values(keys)) {
        await send(request(key));
        assert.deepEqual(findKey(service.written(), key), []);
      }
    });
  }

  it('logs no key after an unexpected failure', async () => {
    const connection = new SqliteConnection(path.join(folder.path, 'svc.db'));
    connection.exec('alter table packages rename to packages_away');
    try {
      const headers = { authorization: `Bearer ${keys.full}` };
      const { status } = await fetch(`${service.url}/api/v1/packages/acme/${keys.full}`, { headers });
      assert.equal(status, 500);
      connection.exec('alter table api_keys rename to api_keys_away');
      assert.equal((await fetch(`${service.url}/api/v1/graphs`, { headers })).status, 503);
      connection.exec('alter table api_keys_away rename to api_keys');
    } finally {
      connection.exec('alter table packages_away rename to packages');
      connection.close();
    }
    await until(() => /unexpected failure[^]*cannot read a key/.test(service.written()));
    for (const key of Object.values(keys)) assert.deepEqual(findKey(service.written(), key), []);
  });

  it('writes no key to the data folder', async () => {
    for (const name of await readdir(folder.path, { recursive: true })) {
      const text = await readFile(path.join(folder.path, name), 'latin1').catch(() => '');
      for (const key of Object.values(keys)) assert.deepEqual(findKey(text, key), [], name);
    }
  });
});
