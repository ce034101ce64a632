import type { Context } from 'koa';
import { closeCodes } from '../upgrade/client-socket.ts';
import type { MemoryShare } from '../held-memory.ts';
import type { Sockets } from '../upgrade/sockets.ts';
import { type KeyCheck, watchKey } from '../upgrade/watch-key.ts';
import type { OfferedSocket } from './outgoing.ts';

/**
 * Upgrades the connection of a request and serves its WebSocket. Resolves when the socket has been served or its client has left;
 * rejects if serving fails.
 */
export async function sendSocket(
  ctx: Context,
  { serve, encode, onShutdown, maxBytes }: OfferedSocket,
  { sockets, keyCheck, memory }: { sockets: Sockets; keyCheck: KeyCheck; memory: MemoryShare },
): Promise<void> {
  // Koa no longer owns the connection: otherwise it would respond to errors on it.
  ctx.respond = false;
  ctx.onerror = () => undefined;
  const socket = sockets.accept(ctx.req, { encode, maxBytes, memory, finishes: onShutdown === 'finish' });
  if (!socket) return;
  watchKey(socket, keyCheck);
  try {
    await serve(socket);
    socket.close(closeCodes.normal, '');
  } catch (error) {
    socket.close(closeCodes.internalError, 'internal error');
    throw error;
  }
}
