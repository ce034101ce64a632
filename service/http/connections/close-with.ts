import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ApiError } from '../../errors/api-error.ts';

/** Sends a refusal on a connection without an answer under way, and closes the connection. */
export function closeWith(socket: Socket, { status, body, headers }: ApiError): void {
  const text = JSON.stringify(body);
  const all = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
    Connection: 'close',
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${text}`);
  socket.destroySoon();
}
