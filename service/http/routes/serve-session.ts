import type { LiveSession } from '../../nodes/live/live-sessions.ts';
import { presentFrame, type PresentedFrame } from '../present/stream-frame.ts';
import { messagesOfSocket } from '../request/messages-of-socket.ts';
import { type ClientSocket, closeCodes } from '../upgrade/client-socket.ts';

interface ServeOptions<Ready> {
  socket: ClientSocket<Ready | PresentedFrame>;
  /** The first message. */
  ready: Ready;
  /** Time within which the client must accept a message, in milliseconds. */
  stallMs: number;
}

/**
 * Serves a live session over a socket. Sends one frame at a time, so that the client sets the pace of the
 * node. Resolves when the session has ended.
 */
export async function serveSession<Ready>(
  session: LiveSession,
  { socket, ready, stallMs }: ServeOptions<Ready>,
): Promise<void> {
  const left = () => endOf(socket.closeCode);
  const leave = (): void => void session.end(left());
  socket.closed.addEventListener('abort', leave, { once: true });
  /** Returns false if the client has left or does not read. */
  const send = async (message: Ready | PresentedFrame): Promise<boolean> => {
    const stalled = setTimeout(() => {
      void session.end('slow_consumer');
      socket.close(closeCodes.tryAgainLater, `slow consumer: a message was not read within ${stallMs} ms`);
    }, stallMs);
    try {
      return (await socket.send(message)) && !socket.closed.aborted;
    } finally {
      clearTimeout(stalled);
    }
  };
  try {
    if (!(await send(ready))) return;
    session.feed(messagesOfSocket(socket.messages));
    let index = 0;
    for await (const frame of session.frames) {
      if (frame.kind === 'end') await session.end(frame.error === undefined ? 'completed' : 'failed');
      if (!(await send(presentFrame(session.executionId, index, frame)))) return;
      index += 1;
    }
  } finally {
    socket.closed.removeEventListener('abort', leave);
    await session.end(left());
  }
}

/** Returns how a session ended, from the close code of its socket. `undefined`: the client closed it. */
function endOf(closeCode: number | undefined): Parameters<LiveSession['end']>[0] {
  switch (closeCode) {
    case closeCodes.goingAway:
      return 'service_stopped';
    case closeCodes.policyViolation:
      return 'key_invalid';
    case closeCodes.unsupportedData:
    case closeCodes.tryAgainLater:
      return 'failed';
    default:
      return 'client_left';
  }
}
