import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import { ApiError } from '../../errors/api-error.ts';
import { refusalText } from '../../errors/refusal-text.ts';
import type { MemoryShare } from '../held-memory.ts';
import { TextMessages } from './text-messages.ts';

/** Close codes of RFC 6455 and its registry. Codes from 4000 on are free for applications. */
export const closeCodes = {
  normal: 1000,
  goingAway: 1001,
  unsupportedData: 1003,
  policyViolation: 1008,
  internalError: 1011,
  tryAgainLater: 1013,
} as const;

/** An open WebSocket of a client. Its messages are texts. */
export interface ClientSocket<Sent> {
  /**
   * Sends a message. Await it to write no faster than the client reads.
   *
   * @returns true once the operating system has taken the message, false if the socket has closed
   */
  send(message: Sent): Promise<boolean>;
  /**
   * The messages of the client, in order; for one reader. Ends when the socket closes. No more is read from the network while a
   * message waits here.
   */
  readonly messages: AsyncIterable<string>;
  /** Closes the socket once the messages so far have been sent. Later calls do nothing. `reason` has at most 123 bytes. */
  close(code: number, reason: string): void;
  /** Aborts once the socket has closed, or is being closed by either side. */
  readonly closed: AbortSignal;
  /** The code with which the service closed the socket. Undefined while it is open, and if the client closed it first. */
  readonly closeCode: number | undefined;
}

interface ClientSocketOptions<Sent> {
  /** Returns the text of a message, or its UTF-8 bytes. */
  encode: (message: Sent) => string | Uint8Array;
  /** Whether the client may send messages. */
  receives: boolean;
  /** The connection, whose bytes are counted in `memory` from the start of a message until it has been consumed. */
  connection: Pick<Socket, 'bytesRead' | 'prependListener' | 'cork' | 'uncork'>;
  memory: MemoryShare;
  /** Interval of pings, in milliseconds. A client that does not respond to a ping before the next one counts as gone. */
  pingMs: number;
}

/** Takes over an open WebSocket: from then on, its messages are read and sent only through the result. */
export function createClientSocket<Sent>(
  ws: WebSocket,
  { encode, receives, connection, memory, pingMs }: ClientSocketOptions<Sent>,
): ClientSocket<Sent> {
  const closing = new AbortController();
  /** `bytesRead` of the connection when the service closed the socket. */
  let closedAt = Infinity;
  let messageBegan = connection.bytesRead;
  const countMessage = (): void => {
    try {
      memory.growTo(connection.bytesRead - messageBegan);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      close(closeCodes.tryAgainLater, refusalText(error));
    }
  };
  const messages = new TextMessages(ws, () => {
    memory.release();
    // The next message may have arrived in part.
    countMessage();
  });
  let closeCode: number | undefined;
  const close = (code: number, reason: string): void => {
    if (!closing.signal.aborted) {
      closeCode = code;
      closedAt = connection.bytesRead;
    }
    closing.abort();
    // The closing handshake requires the client's response.
    messages.end();
    ws.close(code, reason);
  };
  ws.on('message', (data, isBinary) => {
    messageBegan = connection.bytesRead;
    if (closing.signal.aborted) return;
    if (!receives) close(closeCodes.policyViolation, 'this socket takes no messages');
    else if (isBinary) close(closeCodes.unsupportedData, 'send text messages');
    else messages.push((data as Buffer).toString());
  });
  // The library closes the socket with the appropriate code, for example 1009 for a message that is too large.
  ws.on('error', () => closing.abort());
  // Before the listener of the library, so that the last chunk of a message counts too.
  connection.prependListener('data', () => {
    if (connection.bytesRead - closedAt > maxLateBytes) ws.terminate();
    else if (receives) countMessage();
  });
  const stopPings = pingClient(ws, pingMs);
  let gathers = false;
  /**
   * Messages sent in one tick are written together: a write costs more than all other work on a small
   * message.
   */
  const gatherWrites = (): void => {
    if (gathers) return;
    gathers = true;
    connection.cork();
    process.nextTick(() => {
      gathers = false;
      connection.uncork();
    });
  };
  ws.once('close', () => {
    stopPings();
    closing.abort();
    messages.end();
    memory.release();
  });
  return {
    send: (message) => {
      if (closing.signal.aborted) return Promise.resolve(false);
      const text = encode(message);
      gatherWrites();
      return new Promise((resolve) => ws.send(text, { binary: false }, (error) => resolve(!error)));
    },
    messages,
    close,
    closed: closing.signal,
    get closeCode() {
      return closeCode;
    },
  };
}

/** Bytes that a client may still send after the service has closed the socket. Until the client responds, they are parsed. */
const maxLateBytes = 262_144;

/** Pings and pongs of a client between two pings of the service. */
const maxControlFrames = 1_000;

/**
 * Ends the connection of a client that no longer responds, or that floods the service with pings or pongs.
 */
function pingClient(ws: WebSocket, pingMs: number): () => void {
  let answered = true;
  let controlFrames = 0;
  const count = (): void => {
    controlFrames += 1;
    if (controlFrames > maxControlFrames) ws.terminate();
  };
  ws.on('pong', () => {
    answered = true;
    count();
  });
  ws.on('ping', count);
  const timer = setInterval(() => {
    // Nothing is read from a client that sends faster than its messages are consumed, not even the end of its connection. If the
    // client has left, pings fail.
    if (!answered && !ws.isPaused) {
      ws.terminate();
      return;
    }
    answered = ws.isPaused;
    controlFrames = 0;
    ws.ping();
  }, pingMs).unref();
  return () => clearInterval(timer);
}
