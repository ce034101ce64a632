import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { ApiError } from '../../../service/errors/api-error.ts';
import { RawJson } from '../../../service/http/answer/raw-json.ts';
import { bind } from '../../../service/http/bind.ts';
import { apiDocument } from '../../../specs/openapi/api-document.ts';
import { nodeError } from '../../../specs/operations/error-shapes.ts';
import { defineOperation } from '../../../specs/operations/operation.ts';
import { withoutEnvelope } from '../../support/error-envelope.ts';
import { type RouteServer, serveRoutes } from '../../support/route-server.ts';
import { until } from '../../support/until.ts';

const frame = z.object({ n: z.int(), text: z.string().optional() });

const common = { family: 'node', caller: 'public', summary: 'Test' } as const;
const failures = {
  404: { description: 'Unknown.', shape: nodeError },
  413: { description: 'Too large.', shape: z.looseObject({ error: z.string() }) },
};

const follow = defineOperation({
  ...common,
  id: 'follow',
  method: 'get',
  path: '/events',
  responses: { 200: { description: 'Frames.', events: frame, shape: frame }, ...failures },
});

const list = defineOperation({
  ...common,
  id: 'list',
  method: 'get',
  path: '/lines',
  responses: { 200: { description: 'Frames.', lines: frame }, ...failures },
});

const upload = defineOperation({
  ...common,
  id: 'upload',
  method: 'post',
  path: '/upload',
  body: { kind: 'lines', maxBytes: 100, maxLineBytes: 20, shape: frame },
  responses: { 200: { description: 'The lines.', shape: z.array(z.string()) }, ...failures },
});

const echo = defineOperation({
  ...common,
  id: 'echo',
  method: 'post',
  path: '/echo',
  body: { kind: 'bytes', maxBytes: 100, orLines: { maxBytes: 1_000, maxLineBytes: 100, shape: frame } },
  responses: { 200: { description: 'The frames.', events: frame, shape: frame }, ...failures },
});

type Frames = () => AsyncIterable<{ n: number; text?: string | undefined } | RawJson>;

const heartbeatMs = 50;

describe('streams over a socket', () => {
  let service: RouteServer;
  let frames: Frames;
  let signal: AbortSignal | undefined;
  let atOnce: boolean;
  let readLines: (lines: AsyncIterable<string>) => Promise<string[]>;
  const sockets: Socket[] = [];

  before(async () => {
    service = await serveRoutes(
      [
        bind(follow).to((context) => {
          signal = context.signal;
          return { status: 200, kind: 'events', body: frames(), atOnce };
        }),
        bind(list).to(() => ({ status: 200, kind: 'lines', body: frames() })),
        bind(upload).to(async ({ body }) => ({ status: 200, body: await readLines(body) })),
        bind(echo).to(async ({ body }) => {
          if ('read' in body) return { status: 200, body: new RawJson((await body.read()).bytes) };
          return { status: 200, kind: 'events', body: parsed(body) };
        }),
      ],
      { connections: { heartbeatMs } },
    );
  });
  beforeEach(() => {
    atOnce = false;
    service.log.length = 0;
    signal = undefined;
    readLines = (lines) => Array.fromAsync(lines);
  });
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
  });
  after(() => service.close());

  async function* parsed(lines: AsyncIterable<string>) {
    for await (const line of lines) yield JSON.parse(line) as { n: number };
  }

  /** Sends the text of a request on a connection of its own. */
  async function open(text: string): Promise<Socket> {
    const socket = connect(service.port, '127.0.0.1');
    sockets.push(socket);
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    socket.write(text);
    return socket;
  }

  /** Resolves once the text that has arrived since the call matches, in any number of pieces. */
  async function receives(socket: Socket, pattern: RegExp): Promise<void> {
    let text = '';
    const take = (data: Buffer): void => void (text += data.toString());
    socket.on('data', take);
    await until(() => pattern.test(text) || socket.closed);
    socket.off('data', take);
    assert.match(text, pattern);
  }

  const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: svc\r\n\r\n`;
  const chunk = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
  const postChunks = (path: string): string =>
    `POST ${path} HTTP/1.1\r\nHost: svc\r\nContent-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n`;
  const post = (path: string, body: string | Buffer): Promise<Response> =>
    fetch(service.url + path, {
      method: 'POST',
      body: new Uint8Array(Buffer.from(body)),
      headers: { 'content-type': 'application/x-ndjson' },
    });

  /** Counts to `end`, slowly enough that nothing is merged by chance. */
  async function* count(end: number) {
    for (let n = 0; n < end; n += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      yield { n };
    }
  }

  describe('of responses', () => {
    it('send one event per frame, unbuffered by proxies and caches', async () => {
      frames = () => count(3);
      const response = await fetch(`${service.url}/events`);
      assert.equal(response.status, 200);
      assert.equal(response.headers.get('content-type'), 'text/event-stream');
      assert.equal(response.headers.get('cache-control'), 'no-cache, no-transform');
      assert.equal(response.headers.get('x-accel-buffering'), 'no');
      assert.equal(await response.text(), 'data: {"n":0}\n\ndata: {"n":1}\n\ndata: {"n":2}\n\n');
      assert.deepEqual(service.log, []);
    });

    it('write available frames together, and later ones as they arrive', async () => {
      let release: () => void = () => undefined;
      frames = async function* () {
        yield { n: 0 };
        yield { n: 1 };
        await new Promise<void>((resolve) => (release = resolve));
        yield { n: 2 };
      };
      const socket = await open(get('/events'));
      let received = '';
      socket.on('data', (data: Buffer) => (received += data.toString()));
      await until(() => received.includes('"n":1'));
      release();
      await until(() => received.endsWith('0\r\n\r\n'));
      const events = [0, 1, 2].map((n) => `data: {"n":${n}}\n\n`);
      const body = received.slice(received.indexOf('\r\n\r\n') + 4);
      const chunks = [...body.matchAll(/^([0-9a-f]+)\r\n([^\r]*)\r\n/gm)];
      const written = chunks.map(([, size = '', text = '']) => {
        assert.equal(Number.parseInt(size, 16), Buffer.byteLength(text));
        return text;
      });
      // A comment that is due in the same turn is written with a frame.
      const withoutComments = written
        .map((text) => text.replaceAll(':\n\n', ''))
        .filter((text) => text !== '');
      assert.deepEqual(withoutComments, [events.slice(0, 2).join(''), events[2]]);
    });

    it('send their headers before the first frame if requested', async () => {
      let release: () => void = () => undefined;
      frames = async function* () {
        await new Promise<void>((resolve) => (release = resolve));
        yield { n: 1 };
      };
      atOnce = true;
      const response = await fetch(`${service.url}/events`);
      assert.equal(response.status, 200);
      release();
      assert.match(await response.text(), /^(:\n\n)+data: \{"n":1\}\n\n$/);
    });

    it('send comments as heartbeats while there is no frame, but not between frames', async () => {
      const gapsMs: number[] = [];
      const wait = async (ms: number): Promise<void> => {
        const startedAt = performance.now();
        await pause(ms);
        gapsMs.push(performance.now() - startedAt);
      };
      frames = async function* () {
        yield { n: 0 };
        await wait(180);
        for (let n = 1; n < 10; n += 1) {
          yield { n };
          await wait(15);
        }
      };
      const text = await (await fetch(`${service.url}/events`)).text();
      assert.equal(text.match(/^data: /gm)?.length, 10);
      const [longGap = 0, ...shortGaps] = gapsMs;
      const comments = /^data: \{"n":0\}\n\n((?::\n\n)*)data: \{"n":1\}/.exec(text)?.[1] ?? '';
      const count = comments.length / ':\n\n'.length;
      assert.ok(count >= 1 && count <= longGap / heartbeatMs, text);
      // On a busy machine, frames may be as far apart as comments.
      if (Math.max(...shortGaps) < heartbeatMs / 2) assert.doesNotMatch(text, /"n":1[^]*\n:\n/);
    });

    it('send no heartbeats in lines', async () => {
      frames = async function* () {
        yield { n: 0 };
        await pause(180);
        yield { n: 1 };
      };
      assert.equal(await (await fetch(`${service.url}/lines`)).text(), '{"n":0}\n{"n":1}\n');
    });

    it('send one line per frame', async () => {
      frames = () => count(2);
      const response = await fetch(`${service.url}/lines`);
      assert.equal(response.headers.get('content-type'), 'application/x-ndjson');
      assert.equal(await response.text(), '{"n":0}\n{"n":1}\n');
    });

    it('send raw JSON unchanged, on one line', async () => {
      frames = async function* () {
        yield await Promise.resolve(new RawJson('{"n":1.0,\n "text":"a\\nb"}'));
      };
      const response = await fetch(`${service.url}/events`);
      assert.equal(await response.text(), 'data: {"n":1.0,  "text":"a\\nb"}\n\n');
    });

    it('may be empty', async () => {
      frames = () => count(0);
      const response = await fetch(`${service.url}/events`);
      assert.equal(response.headers.get('content-type'), 'text/event-stream');
      assert.equal(await response.text(), '');
    });

    it('arrive frame by frame', async () => {
      const second = Promise.withResolvers<undefined>();
      frames = async function* () {
        yield { n: 0 };
        await second.promise;
        yield { n: 1 };
      };
      const reader = (
        await fetch(`${service.url}/events`)
      ).body!.getReader() as ReadableStreamDefaultReader<Uint8Array>;
      const text = async (): Promise<string> => new TextDecoder().decode((await reader.read()).value);
      assert.equal(await text(), 'data: {"n":0}\n\n');
      second.resolve(undefined);
      assert.equal(await text(), 'data: {"n":1}\n\n');
      assert.equal((await reader.read()).done, true);
    });

    it('respond to HEAD with the headers only, and stop the source', async () => {
      let stopped = false;
      frames = async function* () {
        try {
          yield* count(1_000_000);
        } finally {
          stopped = true;
        }
      };
      const response = await fetch(`${service.url}/events`, { method: 'HEAD' });
      assert.equal(response.headers.get('content-type'), 'text/event-stream');
      await until(() => stopped);
    });

    it('respond to an error before the first frame with an ordinary HTTP error', async () => {
      frames = async function* () {
        yield* count(0);
        throw new ApiError(404, 'stream_not_found', { error_message: 'no such stream' });
      };
      const response = await fetch(`${service.url}/events`);
      assert.equal(response.status, 404);
      assert.equal(response.headers.get('content-type'), 'application/json; charset=utf-8');
      assert.equal(response.headers.get('x-accel-buffering'), null);
      const body = (await response.json()) as Record<string, unknown>;
      assert.deepEqual(withoutEnvelope(body), { error_message: 'no such stream' });
    });

    it('abort the connection on a later error, and log it', async () => {
      frames = async function* () {
        yield* count(1);
        throw new Error('the source broke');
      };
      const response = await fetch(`${service.url}/events`);
      assert.equal(response.status, 200);
      await assert.rejects(response.text());
      assert.match(service.log.join(''), /the source broke/);
    });

    it('validate every frame against the declared shape', async () => {
      frames = async function* () {
        yield await Promise.resolve(new RawJson('{"n":"first"}'));
      };
      assert.equal((await fetch(`${service.url}/events`)).status, 500);
      assert.match(service.log.join(''), /operation follow: status 200: frame: n: Invalid input/);
      frames = async function* () {
        yield* count(1);
        yield new RawJson('{"n":1,"secret":2}');
      };
      await assert.rejects((await fetch(`${service.url}/events`)).text());
      assert.match(service.log.join(''), /status 200: frame: undeclared field secret/);
    });

    it('apply backpressure while the client does not read', async () => {
      let pulled = 0;
      const text = 'x'.repeat(65_536);
      frames = async function* () {
        for (;;) {
          pulled += 1;
          yield await Promise.resolve({ n: pulled, text });
        }
      };
      const socket = await open(get('/events'));
      socket.pause();
      const idle = (): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, 100));
      await until(() => pulled > 0);
      let before = 0;
      while (before !== pulled) {
        before = pulled;
        await idle();
      }
      assert.ok(pulled < 1_000, `${pulled} frames of 64 KiB`);
      socket.resume();
      await until(() => pulled > before);
    });

    it('stop the source when the client disconnects without reading', async () => {
      let stopped = false;
      const text = 'x'.repeat(65_536);
      frames = async function* () {
        try {
          for (let n = 0; ; n += 1) yield await Promise.resolve({ n, text });
        } finally {
          stopped = true;
        }
      };
      const socket = await open(get('/events'));
      socket.pause();
      await new Promise((resolve) => setTimeout(resolve, 100));
      assert.equal(stopped, false);
      socket.destroy();
      await until(() => stopped);
      assert.equal(signal?.aborted, true);
    });

    it('stop the source when the client disconnects while the source waits', async () => {
      let returned = false;
      const never = new Promise<IteratorResult<{ n: number }>>(() => undefined);
      let given = 0;
      const source: AsyncIterator<{ n: number }> = {
        next: () => ((given += 1) === 1 ? Promise.resolve({ done: false, value: { n: 0 } }) : never),
        return: () => {
          returned = true;
          return Promise.resolve({ done: true, value: undefined });
        },
      };
      frames = () => ({ [Symbol.asyncIterator]: () => source });
      const socket = await open(get('/events'));
      await once(socket, 'data');
      socket.destroy();
      await until(() => returned);
      assert.equal(signal?.aborted, true);
    });
  });

  describe('of request bodies', () => {
    it('deliver lines as they arrive, in any number of pieces', async () => {
      const seen: string[] = [];
      readLines = async (lines) => {
        for await (const line of lines) seen.push(line);
        return seen;
      };
      const socket = await open(postChunks('/upload'));
      socket.write(chunk('{"n":0}\n{"n"'));
      await until(() => seen.length === 1);
      socket.write(chunk(':1}\r\n\n  \n{"te'));
      await until(() => seen.length === 2);
      socket.write(`${chunk('xt":"ü"}')}0\r\n\r\n`);
      await receives(socket, /^HTTP\/1\.1 200 /);
      assert.deepEqual(seen, ['{"n":0}', '{"n":1}', '{"text":"ü"}']);
    });

    it('may start with a byte order mark, in any number of pieces', async () => {
      const mark = Buffer.of(0xef, 0xbb, 0xbf);
      assert.deepEqual(await (await post('/upload', Buffer.concat([mark, Buffer.from('{"n":0}')]))).json(), [
        '{"n":0}',
      ]);
      const socket = await open(postChunks('/upload'));
      for (const byte of mark)
        socket.write(Buffer.concat([Buffer.from('1\r\n'), Buffer.of(byte), Buffer.from('\r\n')]));
      socket.write(`${chunk(`${'1'.repeat(20)}\n`)}0\r\n\r\n`);
      await receives(socket, /200 OK[^]*\["1{20}"\]$/);
    });

    it('keep a byte order mark in later lines, which are then invalid JSON', async () => {
      assert.deepEqual(await (await post('/upload', '1\n\uFEFF2\n')).json(), ['1', '\uFEFF2']);
    });

    it('may contain no lines', async () => {
      assert.deepEqual(await (await post('/upload', '')).json(), []);
      assert.deepEqual(await (await post('/upload', '\n\n')).json(), []);
    });

    it('are read no faster than the handler consumes', async () => {
      const go = Promise.withResolvers<undefined>();
      readLines = async (lines) => {
        await go.promise;
        return Array.fromAsync(lines);
      };
      const socket = await open(postChunks('/upload'));
      socket.write(chunk('{"n":0}\n'));
      await new Promise((resolve) => setTimeout(resolve, 50));
      go.resolve(undefined);
      socket.write('0\r\n\r\n');
      await receives(socket, /\["\{\\"n\\":0\}"\]/);
    });

    const refused: [title: string, body: string | Buffer, status: number, text: RegExp][] = [
      ['a line over the limit', `${'1'.repeat(21)}\n`, 413, /exceeds the limit of 20 bytes/],
      ['a last line over the limit', '1'.repeat(21), 413, /exceeds the limit of 20 bytes/],
      ['a body over the limit', '1\n'.repeat(51), 413, /exceeds the limit of 100 bytes/],
      ['text that is not UTF-8', Buffer.of(0xff, 0x0a), 400, /not valid UTF-8/],
    ];
    for (const [title, body, status, text] of refused) {
      it(`reject ${title}`, async () => {
        const response = await post('/upload', body);
        assert.equal(response.status, status);
        assert.match(await response.text(), text);
      });
    }

    it('deliver the lines before the size limit', async () => {
      const seen: string[] = [];
      readLines = async (lines) => {
        for await (const line of lines) seen.push(line);
        return seen;
      };
      const lines = ['1'.repeat(20), '2'.repeat(20), '3'.repeat(20), '4'.repeat(20), '5'.repeat(15), '6'];
      // A body that declares its length is refused as a whole.
      const socket = await open(postChunks('/upload'));
      socket.write(chunk(lines.join('\n')));
      await receives(socket, /^HTTP\/1\.1 413 /);
      assert.deepEqual(seen, lines.slice(0, 5));
      socket.destroy();
    });

    it('accept lines and bodies at the size limits', async () => {
      const lines = ['1'.repeat(20), '2'.repeat(20), '3'.repeat(20), '4'.repeat(20), '5'.repeat(16)];
      const response = await post('/upload', lines.join('\n'));
      assert.deepEqual(await response.json(), lines);
    });

    it('exclude line endings from the size of a line', async () => {
      const lines = ['1'.repeat(20), '2'.repeat(20), '3'.repeat(20)];
      assert.deepEqual(await (await post('/upload', `${lines.join('\r\n')}\r`)).json(), lines);
      const socket = await open(postChunks('/upload'));
      for (const piece of ['1'.repeat(20), '\r', '\n']) socket.write(chunk(piece));
      socket.write('0\r\n\r\n');
      await receives(socket, /200 OK[^]*\["1{20}"\]$/);
      assert.equal((await post('/upload', `${'1'.repeat(21)}\r\n`)).status, 413);
    });

    it('are rejected during the upload when they exceed the limit', async () => {
      const socket = await open(postChunks('/upload'));
      for (let n = 0; n < 20; n += 1) socket.write(chunk('{"n":0}\n'));
      await receives(socket, /^HTTP\/1\.1 413 /);
    });

    it('report a client that disconnects during the upload', async () => {
      const outcome = Promise.withResolvers<unknown>();
      let called = false;
      readLines = async (lines) => {
        called = true;
        const read = Array.fromAsync(lines);
        read.then(outcome.resolve, outcome.resolve);
        return read;
      };
      const socket = await open(postChunks('/upload'));
      socket.write(chunk('{"n":0}\n'));
      await until(() => called);
      socket.destroy();
      const error = await outcome.promise;
      assert.ok(error instanceof ApiError && error.status === 400);
    });

    it('are discarded for five seconds if the handler rejects them unread, and then close the connection', async () => {
      readLines = () => Promise.reject(new ApiError(404, 'not_found', { error_message: 'no' }));
      const socket = await open(postChunks('/upload'));
      // The service resets it if something that was sent is still unread.
      const closed = new Promise((resolve) => socket.once('close', resolve));
      const sending = setInterval(() => socket.write(chunk('{"n":0}\n')), 100);
      try {
        await receives(socket, /^HTTP\/1\.1 404 /);
        await closed;
      } finally {
        clearInterval(sending);
      }
    });

    it('keep the connection usable when the handler stops early', async () => {
      readLines = async (lines) => {
        for await (const line of lines) return [line];
        return [];
      };
      const socket = await open(postChunks('/upload'));
      socket.write(`${chunk('{"n":0}\n')}${chunk('{"n":1}\n')}`);
      await receives(socket, /^HTTP\/1\.1 200 [^]*\]$/);
      socket.write(`${chunk('{"n":2}\n')}0\r\n\r\n${get('/missing')}`);
      await receives(socket, /^HTTP\/1\.1 404 /);
    });

    it('may be answered before they are complete', async () => {
      const socket = await open(postChunks('/echo'));
      socket.write(chunk('{"n":0}\n'));
      await receives(socket, /200 OK[^]*data: \{"n":0\}/);
      socket.write(chunk('{"n":1}\n'));
      await receives(socket, /data: \{"n":1\}/);
    });

    it('may be an alternative to JSON, selected by content type', async () => {
      const asJson = await fetch(`${service.url}/echo`, { method: 'POST', body: '{"n":7}' });
      assert.equal(asJson.headers.get('content-type'), 'application/json; charset=utf-8');
      assert.equal(await asJson.text(), '{"n":7}');
      assert.equal(await (await post('/echo', '{"n":7}\n')).text(), 'data: {"n":7}\n\n');
    });
  });

  it('are documented with the shape of one frame', () => {
    const document = apiDocument({
      operations: [follow, list, upload, echo],
      baseUrl: 'http://127.0.0.1',
      version: '1.0.0',
    });
    const schemaIn = (content: object | undefined, type: string): unknown =>
      (content as Record<string, { schema: { properties: object } }>)[type]?.schema.properties;
    const answerOf = (path: string) =>
      (document.paths[path]?.get ?? document.paths[path]?.post)?.responses['200'] as { content: object };
    const bodyOf = (path: string) =>
      document.paths[path]?.post?.requestBody as { content: object; description: string };
    const properties = { n: { type: 'integer' }, text: { type: 'string' } };
    assert.deepEqual(Object.keys(answerOf('/events').content), ['application/json', 'text/event-stream']);
    assert.deepEqual(schemaIn(answerOf('/events').content, 'text/event-stream'), properties);
    assert.deepEqual(schemaIn(answerOf('/lines').content, 'application/x-ndjson'), properties);
    assert.deepEqual(schemaIn(bodyOf('/upload').content, 'application/x-ndjson'), properties);
    assert.equal(bodyOf('/upload').description, 'NDJSON: at most 20 bytes per line and 100 bytes in total.');
    assert.deepEqual(Object.keys(bodyOf('/echo').content), ['application/json', 'application/x-ndjson']);
  });
});
