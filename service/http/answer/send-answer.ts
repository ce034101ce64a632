import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Context } from 'koa';
import type { OpenStream, Outgoing } from './outgoing.ts';

/**
 * Sends an answer. Resolves when a stream has ended or its client has left; other bodies are sent after the return.
 *
 * @throws Error if a stream fails after its first frame; the connection is then broken off, which tells the client that the stream
 *   is incomplete
 */
export async function sendAnswer(
  ctx: Context,
  { status, headers, body }: Outgoing,
  signal: AbortSignal,
): Promise<void> {
  ctx.status = status;
  for (const [name, value] of Object.entries(headers)) ctx.set(name, value);
  if (body === undefined) {
    ctx.body = null;
    ctx.status = status;
  } else if (typeof body === 'string') {
    ctx.body = body;
  } else if (body instanceof Uint8Array) {
    ctx.body = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  } else {
    await sendStream(ctx, body, signal);
  }
}

async function sendStream(ctx: Context, { first, source }: OpenStream, signal: AbortSignal): Promise<void> {
  // Koa sends bodies by itself; this one is written frame by frame.
  ctx.respond = false;
  const { res: response } = ctx;
  if (ctx.method === 'HEAD') {
    source.stop();
    response.end();
    return;
  }
  try {
    for (let frame = first; frame !== undefined; frame = await source.next()) {
      if (!response.write(frame)) await drained(response, signal);
    }
    response.end();
  } catch (error) {
    // Frames sent so far still arrive; the missing end marks the stream as incomplete.
    response.socket?.destroySoon();
    throw error;
  }
}

/** Waits until the client has read enough to take more, or has left. */
async function drained(response: ServerResponse, signal: AbortSignal): Promise<void> {
  await once(response, 'drain', { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}
