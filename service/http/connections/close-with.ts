import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ApiError } from '../../errors/api-error.ts';
import { refusalBody } from '../../errors/refusal-body.ts';

/** Sends a refusal on a connection that has no response in progress, and closes the connection. */
export function closeWith(socket: Socket, refusal: ApiError, requestId: string): void {
  const { status, headers } = refusal;
  const text = JSON.stringify(refusalBody(refusal, requestId));
  const all = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
    Connection: 'close',
    'X-Request-Id': requestId,
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${text}`);
  socket.destroySoon();
}
