import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Context } from 'koa';
import { streamTurns } from '../../work/turn-budget.ts';
import type { MemoryShare } from '../held-memory.ts';
import type { Sockets } from '../upgrade/sockets.ts';
import type { KeyCheck } from '../upgrade/watch-key.ts';
import { GatheredWrites } from './gathered-writes.ts';
import type { OpenStream, Outgoing } from './outgoing.ts';
import { sendSocket } from './send-socket.ts';

interface SendOptions {
  sockets: Sockets;
  /** For the caller of a WebSocket. */
  keyCheck: KeyCheck;
  /** For the messages of a WebSocket. */
  memory: MemoryShare;
  /** Aborts when the client leaves. */
  signal: AbortSignal;
  /** Time without a frame after which an event stream sends a comment, in milliseconds. */
  heartbeatMs: number;
}

/**
 * Sends a response.
 *
 * @returns for a stream or a WebSocket, a promise that resolves when it has ended or its client has left. It rejects if the stream
 *   fails after its first frame; the connection is then closed without an end, which marks the stream as incomplete. Other
 *   bodies are sent after the return.
 */
export function sendAnswer(
  ctx: Context,
  { status, headers, body }: Outgoing,
  { sockets, keyCheck, memory, signal, heartbeatMs }: SendOptions,
): Promise<void> | undefined {
  ctx.status = status;
  for (const [name, value] of Object.entries(headers)) {
    ctx.set(name, name === 'Connection' ? connectionOf(ctx, value) : value);
  }
  if (body === undefined) {
    ctx.body = null;
    ctx.status = status;
  } else if (typeof body === 'string') {
    ctx.body = body;
  } else if (body instanceof Uint8Array) {
    ctx.body = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  } else if ('serve' in body) {
    return sendSocket(ctx, body, { sockets, keyCheck, memory });
  } else {
    return sendStream(ctx, body, { signal, heartbeatMs });
  }
  return undefined;
}

/** Returns the header `Connection` of an answer that has one, such as a 426. Node adds `close` only where there is none. */
function connectionOf({ res, response }: Context, value: string): string {
  const closes = !res.shouldKeepAlive || response.get('Connection') === 'close';
  return closes && value !== 'close' ? `${value}, close` : value;
}

async function sendStream(
  ctx: Context,
  { first, source, heartbeat }: OpenStream,
  { signal, heartbeatMs }: Omit<SendOptions, 'sockets' | 'keyCheck' | 'memory'>,
): Promise<void> {
  // Koa itself sends ordinary bodies; this one is written frame by frame.
  ctx.respond = false;
  const { res: response } = ctx;
  if (ctx.method === 'HEAD') {
    source.stop();
    response.end();
    return;
  }
  const writes = new GatheredWrites(response);
  let silent = false;
  const beat = (): void => {
    // A client that does not keep up needs no heartbeat.
    if (silent && heartbeat !== undefined && !response.writableNeedDrain) writes.add(heartbeat);
    silent = true;
  };
  const timer = setInterval(beat, heartbeatMs).unref();
  try {
    for (let frame = first; frame !== undefined; frame = await source.next()) {
      silent = false;
      if (!writes.add(frame)) {
        await drained(response, signal);
        // Hundreds of clients may be ready for more in the same turn.
        await streamTurns.yieldIfSpent();
      }
      // All frames of a replay are ready, and a fast client takes them at once. Checking the clock for each would cost too much.
      else if (writes.isEmpty) await streamTurns.yieldIfSpent();
    }
    writes.flush();
    // A client that has closed its sending half still reads, and must not take this for the end of the stream.
    if (signal.aborted) response.socket?.destroySoon();
    else response.end();
  } catch (error) {
    // Frames sent so far are still delivered. The missing end marks the stream as incomplete.
    writes.flush();
    response.socket?.destroySoon();
    throw error;
  } finally {
    clearInterval(timer);
  }
}

/** Waits until the client has read enough to accept more, or has left. */
async function drained(response: ServerResponse, signal: AbortSignal): Promise<void> {
  await once(response, 'drain', { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}
