import type { IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

/** How much of a refused upload is read, and for how long, so that its sender receives the refusal. */
const drain = { bytes: 64 * 1024 * 1024, ms: 5_000 };

/** Reads and drops the rest of a body. Closes the connection of a sender that continues for too long. */
export async function discardBody(request: IncomingMessage): Promise<void> {
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
