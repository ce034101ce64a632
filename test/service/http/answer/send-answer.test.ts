import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import { FrameSource } from '../../../../service/http/answer/frame-source.ts';
import { sendAnswer } from '../../../../service/http/answer/send-answer.ts';
import { assertTurn, watchTurns } from '../../../support/turn-watch.ts';

/** Small enough for the kernel to accept all of them at once. */
const frame = 'data: x\n\n';

describe('a stream whose frames are all ready', () => {
  it('yields to the event loop while a fast client reads it', async () => {
    const count = 400_000;
    async function* frames() {
      for (let n = 1; n < count; n += 1) yield await Promise.resolve(frame);
    }
    const signal = new AbortController().signal;
    const koa = new Koa();
    koa.use((ctx) => {
      const source = new FrameSource(frames(), { encode: (one) => one as string, signal });
      const body = { first: frame, source, heartbeat: undefined };
      const options = { signal, heartbeatMs: 1e6, sockets: {}, keyCheck: {}, memory: {} };
      return sendAnswer(ctx, { status: 200, headers: {}, body }, options as never);
    });
    const server = createServer((request, response) => void koa.callback()(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const watch = watchTurns();
      const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
      let bytes = 0;
      for await (const chunk of (answer.body ?? []) as AsyncIterable<Uint8Array>) bytes += chunk.length;
      assertTurn(watch.stop(), 50);
      assert.equal(bytes, count * frame.length);
    } finally {
      server.close();
    }
  });
});
