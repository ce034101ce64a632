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
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    // Without destroyOnReturn: false, leaving the loop would reset the connection and the sender would see no answer.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBytes) break;
      chunks.push(chunk);
    }
  } catch {
    throw bodyCutOff(family);
  }
  if (size > maxBytes) {
    void discard(request);
    throw bodyTooLarge(family, maxBytes);
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, size);
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
