import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { GatheredRequest } from '../../../../service/http/request/gathered-request.ts';
import { discardBody } from '../../../../service/http/request/discard-body.ts';

/** Sends the start of a body that never ends, and returns what was received before the connection was closed. */
async function answerTo(body: string, listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.write(`POST / HTTP/1.1\r\nHost: svc\r\nContent-Length: 1000000\r\n\r\n${body}`);
    let received = '';
    socket.on('data', (data: Buffer) => {
      received += data.toString();
    });
    await once(socket, 'close');
    return received;
  } finally {
    server.close();
  }
}

describe('the rest of a body', () => {
  it('is discarded until the response is sent, however long that takes', async () => {
    const received = await answerTo('x', (request, response) => {
      void discardBody(request, response, { bytes: 1_000, ms: 20 });
      void (async () => {
        for (let part = 0; part < 5; part++) {
          response.write(`part ${part}\n`);
          await delay(40);
        }
        response.end('last part');
      })();
    });
    assert.match(received, /part 4\n/);
    assert.match(received, /last part/);
  });

  it('is not read beyond a limit, and the sender still receives the response', async () => {
    let read = 0;
    const received = await answerTo('x'.repeat(100_000), (request, response) => {
      void discardBody(request, response, { bytes: 1_000, ms: 20 });
      request.on('data', (chunk: Buffer) => {
        read += chunk.length;
      });
      setTimeout(() => response.end('refused'), 40);
    });
    assert.match(received, /refused/);
    assert.ok(read < 100_000, `${read} bytes were read`);
  });

  it('closes the connection if it arrives in more than a thousand tiny chunks', async () => {
    for (const [text, isCut] of [
      ['x', true],
      ['x'.repeat(80), false],
    ] as const) {
      const chunk = `${text.length.toString(16)}\r\n${text}\r\n`;
      const ended = Promise.withResolvers<boolean>();
      const server = createServer({ IncomingMessage: GatheredRequest }, (request, response) => {
        void discardBody(request, response, { bytes: 10_000_000, ms: 5_000 });
        request.once('end', () => ended.resolve(false));
        request.once('close', () => ended.resolve(true));
        response.on('error', () => undefined);
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write(
        `POST / HTTP/1.1\r\nHost: svc\r\nTransfer-Encoding: chunked\r\n\r\n${chunk.repeat(50_000)}0\r\n\r\n`,
      );
      assert.equal(await ended.promise, isCut, `chunks of ${text.length} bytes`);
      socket.destroy();
      server.close();
    }
  });
});
