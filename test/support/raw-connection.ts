import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A connection on which a test writes raw HTTP. */
export interface RawConnection {
  socket: Socket;
  send(data: string | Uint8Array): void;
  /** Returns all received text. */
  received(): string;
  /** Resolves with all received text once it matches. Rejects if the connection closes first. */
  receives(pattern: RegExp): Promise<string>;
  /** Resolves with all received text once the connection is closed. */
  closed: Promise<string>;
}

/** Connects to a service. A connection error counts as its end. */
export async function openRaw(url: string, localAddress?: string): Promise<RawConnection> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), ...(localAddress && { localAddress }) });
  let text = '';
  socket.on('error', () => undefined);
  const closed = new Promise<string>((resolve) => {
    socket.once('close', () => resolve(text));
  });
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
  });
  await Promise.race([once(socket, 'connect').catch(() => undefined), closed]);
  return {
    socket,
    send: (data) => void socket.write(data),
    received: () => text,
    closed,
    receives: async (pattern) => {
      while (!pattern.test(text)) {
        if (socket.closed) throw new Error(`the connection closed after: ${text}`);
        await Promise.race([new Promise((resolve) => socket.once('data', resolve)), closed]);
      }
      return text;
    },
  };
}
