import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { GatheredRequest } from './gathered-request.ts';

/**
 * How much of the rest of a body is read, and for how long after the response is sent, so that the sender receives the response.
 */
const drain = { bytes: 64 * 1024 * 1024, ms: 5_000 };

const discarded = new WeakSet<IncomingMessage>();

/**
 * Reads and drops the rest of a body while the response is sent and shortly after. Then closes the connection of a sender that
 * has not finished. Closing earlier would lose the part of the response that the sender has not read, which happens only to a sender
 * of very many tiny chunks. Does nothing if it was already called for the request, or if the connection is closed.
 */
export async function discardBody(
  request: IncomingMessage,
  response: ServerResponse,
  { bytes, ms } = drain,
): Promise<void> {
  if (discarded.has(request) || request.destroyed) return;
  discarded.add(request);
  let left = bytes;
  const over = new AbortController();
  const { signal } = over;
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (request instanceof GatheredRequest && request.hasTinyChunks) request.destroy();
    else if (left < 0) request.pause();
  });
  request.once('close', () => over.abort());
  request.once('end', () => over.abort());
  request.resume();
  try {
    if (!response.writableFinished && !response.destroyed) await once(response, 'close', { signal });
    await delay(ms, undefined, { signal, ref: false });
    request.destroy();
  } catch {
    // The body or its connection has ended.
  }
}
