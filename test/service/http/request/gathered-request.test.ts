import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { GatheredRequest } from '../../../../service/http/request/gathered-request.ts';
import { assertTurn, watchTurns } from '../../../support/turn-watch.ts';

describe('the chunks of a body', () => {
  /** Sends a request with a body in chunks, and returns the pieces in which it arrives. */
  async function piecesOf(
    body: string,
    read = (request: IncomingMessage): Promise<Buffer[]> => Array.fromAsync(request) as Promise<Buffer[]>,
  ): Promise<Buffer[]> {
    const server = createServer({ IncomingMessage: GatheredRequest });
    const reading = once(server, 'request').then(async ([request, response]) => {
      const pieces = await read(request as IncomingMessage);
      (response as { end(): void }).end();
      return pieces;
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.write(`POST / HTTP/1.1\r\nHost: svc\r\nTransfer-Encoding: chunked\r\n\r\n${body}0\r\n\r\n`);
    try {
      return await reading;
    } finally {
      socket.destroy();
      server.close();
    }
  }

  it('are merged in order as far as they are read together', async () => {
    const count = 200_000;
    const chunks = Array.from({ length: count }, (_, n) => `1\r\n${n % 10}\r\n`).join('');
    const watch = watchTurns();
    const pieces = await piecesOf(chunks);
    assertTurn(watch.stop(), 100);
    assert.equal(Buffer.concat(pieces).toString(), '0123456789'.repeat(count / 10));
    // A read has 64 KiB, of which each chunk takes six.
    assert.ok(pieces.length < 200, `${pieces.length} pieces`);
  });

  it('are rejected if there are too many tiny ones', async () => {
    // A chunk that two reads contain counts twice.
    const large = `14\r\n0123456789abcdefghij\r\n`.repeat(200_001);
    assert.equal(Buffer.concat(await piecesOf(large)).length, 20 * 200_001);
    await assert.rejects(piecesOf('1\r\nx\r\n'.repeat(200_001)), { code: 'ERR_STREAM_PREMATURE_CLOSE' });
  });

  it('apply backpressure while they are not read', async () => {
    const large = 'x'.repeat(65_536);
    const count = 200;
    const pieces = await piecesOf(`10000\r\n${large}\r\n`.repeat(count), async (request) => {
      await new Promise((resolve) => setTimeout(resolve, 200));
      assert.ok(request.readableLength < 1_000_000, `${request.readableLength} bytes wait`);
      return Array.fromAsync(request) as Promise<Buffer[]>;
    });
    assert.equal(Buffer.concat(pieces).length, count * 65_536);
  });
});
