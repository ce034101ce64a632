import type { IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Family } from '../../../specs/operations/operation.ts';
import { bodyCutOff, bodyTooLarge } from '../../errors/request-errors.ts';

/** How much, and for how long, a refused upload is still read, so that its sender gets to see the refusal. */
const drain = { bytes: 64 * 1024 * 1024, ms: 5_000 };

/**
 * Reads a request body of at most `maxBytes` bytes. A body that is too large is refused as soon as that is known: at once by
 * its `Content-Length`, else at the byte that exceeds.
 */
export async function readBody(request: IncomingMessage, maxBytes: number, family: Family): Promise<Buffer> {
  const declared = Number(request.headers['content-length'] ?? Number.NaN);
  if (declared > maxBytes) {
    void discard(request);
    throw bodyTooLarge(family, maxBytes, declared);
  }
  // Nothing more would be told of it.
  if (request.destroyed) throw bodyCutOff(family);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const take = (chunk: Buffer): void => {
      size += chunk.length;
      chunks.push(chunk);
      if (size <= maxBytes) return;
      request.off('data', take);
      void discard(request);
      reject(bodyTooLarge(family, maxBytes));
    };
    const cutOff = (): void => {
      if (!request.readableEnded) reject(bodyCutOff(family));
    };
    request.on('data', take);
    request.once('end', () => resolve(Buffer.concat(chunks, size)));
    request.once('error', cutOff);
    request.once('close', cutOff);
  });
}

/** Reads on and forgets; gives up, and lets the connection go, when the sender goes on for too long. */
async function discard(request: IncomingMessage): Promise<void> {
  let left = drain.bytes;
  const over = new AbortController();
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) request.destroy();
  });
  request.once('close', () => over.abort());
  request.once('end', () => over.abort());
  request.resume();
  await delay(drain.ms, undefined, { signal: over.signal, ref: false }).then(
    () => request.destroy(),
    () => undefined,
  );
}
