import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ApiError } from '../../../../service/errors/api-error.ts';
import { bodiesOverloaded, tooManyLargeBodies } from '../../../../service/errors/memory-errors.ts';
import { HeldMemory } from '../../../../service/http/held-memory.ts';
import { readLines } from '../../../../service/http/request/read-lines.ts';
import { threadMs } from '../../../../service/work/thread-time.ts';
import { openRaw, type RawConnection } from '../../../support/raw-connection.ts';
import { assertTurn, watchTurns } from '../../../support/turn-watch.ts';
import { until } from '../../../support/until.ts';

describe('the lines of a body', () => {
  let server: Server;
  let read: string[];
  before(async () => {
    server = createServer((request, response) => {
      const bounds = {
        maxBytes: 67_108_864,
        maxLineBytes: 1_000,
        memory: { growTo: () => undefined, release: () => undefined },
      };
      void Array.fromAsync(readLines(request, response, bounds, 'invocation')).then(
        (lines) => {
          read = lines;
          response.end();
        },
        () => response.writeHead(413).end(),
      );
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
  });
  after(() => server.close());

  /** Sends a body in pieces, since all of it at once would be a long turn of this test. */
  const send = async (body: string | Buffer): Promise<number> => {
    const { port } = server.address() as AddressInfo;
    const pieces = ReadableStream.from(piecesOf(typeof body === 'string' ? Buffer.from(body) : body));
    const init = { method: 'POST', body: pieces, duplex: 'half' } as const;
    return (await fetch(`http://127.0.0.1:${port}`, init)).status;
  };

  for (const blank of ['\n', '\r\n', ' \t\n']) {
    it(`are found quickly among blank lines: ${JSON.stringify(blank)}`, async () => {
      const blanks = Buffer.alloc(12_000_000, blank);
      const body = Buffer.concat([blanks, Buffer.from('{"n":1}\n'), blanks, Buffer.from('{"n":2}')]);
      const began = threadMs();
      const watch = watchTurns();
      assert.equal(await send(body), 200);
      assertTurn(watch.stop(), 100);
      // One by one, they took ten seconds.
      assertTurn(threadMs() - began, 2_000, 'reading 24 MB of blank lines');
      assert.deepEqual(read, ['{"n":1}', '{"n":2}']);
    });
  }

  it('are limited in length even if they are blank', async () => {
    assert.equal(await send(`${' '.repeat(1_000)}\n1`), 200);
    assert.deepEqual(read, ['1']);
    assert.equal(await send(`\n${' '.repeat(1_005)}\n1`), 413);
    assert.equal(await send(`${'1'.repeat(1_000)}\n\n`), 200);
    assert.equal(await send(`${'1'.repeat(1_001)}\n\n`), 413);
  });

  it('exclude a byte order mark at the start of the body', async () => {
    assert.equal(await send('\ufeff\n\n1\n'), 200);
    assert.deepEqual(read, ['1']);
    assert.equal(await send('\ufeff1\n\ufeff2'), 200);
    assert.deepEqual(read, ['1', '\ufeff2']);
  });
});

describe('the lines of concurrent bodies', () => {
  it('are limited in memory while they are incomplete or not consumed', async () => {
    const bytes = 200_000;
    const memory = new HeldMemory({
      perCaller: 2.5 * bytes,
      total: 10 * bytes,
      callerRefusal: tooManyLargeBodies,
      totalRefusal: bodiesOverloaded,
    });
    const bounds = { maxBytes: 67_108_864, maxLineBytes: bytes };
    const seen: number[] = [];
    /** Lines of which all but the last character is held. */
    let held = 0;
    const server = createServer((request, response) => {
      const share = memory.share({ name: 'acme', hasKey: true });
      const growTo = (size: number): void => {
        share.growTo(size);
        if (size === bytes - 1) held += 1;
      };
      const lines = readLines(request, response, { ...bounds, memory: { ...share, growTo } }, 'invocation');
      void (async () => {
        for await (const line of lines) seen.push(line.length);
      })().then(
        () => response.end(),
        (error: unknown) => response.writeHead(error instanceof ApiError ? error.status : 500).end(),
      );
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const line = `"${'x'.repeat(bytes - 2)}"`;
    const starts: RawConnection[] = [];
    const start = async () => {
      const client = await openRaw(`http://127.0.0.1:${port}`);
      client.send(
        `POST / HTTP/1.1\r\nHost: svc\r\nContent-Length: ${line.length * 2 + 1}\r\n\r\n${line.slice(0, -1)}`,
      );
      starts.push(client);
      return client;
    };
    try {
      const first = await start();
      await start();
      // Else the last one could be read before another, which would be refused instead.
      await until(() => held === 2);
      const refused = await start();
      await refused.receives(/^HTTP\/1.1 429 /);
      // A line that has been consumed no longer counts.
      first.send(`"\n`);
      await until(() => seen.length === 1);
      const next = await start();
      next.send(`"\n${line}`);
      await next.receives(/^HTTP\/1.1 200 /);
    } finally {
      for (const { socket } of starts) socket.destroy();
      server.close();
    }
  });
});

function* piecesOf(body: Buffer): Generator<Buffer> {
  for (let at = 0; at < body.length; at += 65_536) yield body.subarray(at, at + 65_536);
}
