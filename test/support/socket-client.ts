import { once } from 'node:events';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { type ClientOptions, WebSocket } from 'ws';
import { ownErrorText } from './error-envelope.ts';

/** A WebSocket of a test. */
export interface SocketClient {
  ws: WebSocket;
  /** Received texts. */
  received: string[];
  /** Resolves with the texts once there are this many, or rejects if the socket closes first. */
  receives(count: number): Promise<string[]>;
  /** Resolves once the socket has closed. */
  closed: Promise<{ code: number; reason: string }>;
}

/** Opens a WebSocket. `url` may be `http:`. Rejects if the service refuses it. */
export async function openSocket(
  url: string,
  { protocols = [], ...options }: ClientOptions & { protocols?: string[] } = {},
): Promise<SocketClient> {
  const ws = new WebSocket(url.replace(/^http/, 'ws'), protocols, options);
  const received: string[] = [];
  let wake = (): void => undefined;
  ws.on('message', (data: Buffer) => {
    received.push(data.toString());
    wake();
  });
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    ws.once('close', (code, reason) => {
      resolve({ code, reason: reason.toString() });
      wake();
    });
  });
  await once(ws, 'open');
  ws.on('error', () => undefined);
  return {
    ws,
    received,
    closed,
    receives: async (count) => {
      while (received.length < count) {
        if (ws.readyState === WebSocket.CLOSED) {
          const { code, reason } = await closed;
          throw new Error(`the socket closed with ${code} after ${received.length} messages: ${reason}`);
        }
        await new Promise<void>((resolve) => (wake = resolve));
      }
      return received;
    },
  };
}

/** Requests a WebSocket and returns the refusal, without the common fields of errors. */
export async function refusedSocket(
  url: string,
  { protocols = [], ...options }: ClientOptions & { protocols?: string[] } = {},
): Promise<{ status: number; headers: IncomingMessage['headers']; body: string }> {
  const ws = new WebSocket(url.replace(/^http/, 'ws'), protocols, options);
  ws.on('error', () => undefined);
  const [, response] = (await once(ws, 'unexpected-response')) as [ClientRequest, IncomingMessage];
  const { statusCode: status = 0, headers } = response;
  const named = new Headers({ 'x-request-id': String(headers['x-request-id']) });
  return { status, headers, body: ownErrorText(named, await text(response)) };
}
