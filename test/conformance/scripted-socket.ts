import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import type { SocketStep } from './conformance-case.ts';

interface ScriptedSocket {
  socket: Socket;
  /** The bytes that arrived after the request. */
  head: Buffer;
  onMessage: (text: string) => void;
  /** The SDK closed the socket, or ended its connection. */
  onAbandoned: () => void;
}

const server = new WebSocketServer({
  noServer: true,
  clientTracking: false,
  handleProtocols: (offered) => [...offered].find((name) => name.startsWith('svc-token.')) ?? false,
});

/** Accepts a WebSocket and performs the steps in order. Resolves when they are done, or when the socket has closed. */
export async function playSocket(
  steps: readonly SocketStep[],
  request: IncomingMessage,
  { socket, head, onMessage, onAbandoned }: ScriptedSocket,
): Promise<void> {
  const accepted = await new Promise<WebSocket>((resolve) => {
    server.handleUpgrade(request, socket, head, resolve);
  });
  let messages = 0;
  let isEnded = false;
  const closed = new Promise<void>((resolve) => {
    accepted.on('close', () => {
      if (!isEnded) onAbandoned();
      resolve();
    });
  });
  accepted.on('error', () => undefined);
  accepted.on('message', (data: RawData) => {
    messages += 1;
    onMessage((data as Buffer).toString('utf8'));
  });
  for (const step of steps) {
    if (accepted.readyState !== accepted.OPEN) return;
    isEnded = 'close' in step || 'end' in step;
    await Promise.race([closed, act(step)]);
  }

  async function arrived(count: number): Promise<void> {
    while (messages < count && accepted.readyState === accepted.OPEN) await pause(5);
  }

  async function act(step: SocketStep): Promise<void> {
    if ('send' in step) await send(accepted, step);
    else if ('sendText' in step) accepted.send(step.sendText);
    else if ('pauseMs' in step) await pause(step.pauseMs);
    else if ('ping' in step) await answeredPing(accepted);
    else if ('close' in step) accepted.close(step.close, step.reason);
    else if ('await' in step) await arrived(step.await);
    else if (step.end === 'reset') socket.resetAndDestroy();
    else socket.end();
  }
}

async function send(
  accepted: WebSocket,
  { send: json, padTo = 0, fragments = 1 }: Extract<SocketStep, { send: unknown }>,
): Promise<void> {
  const bytes = Buffer.from(JSON.stringify(json).padEnd(padTo));
  const size = Math.ceil(bytes.length / fragments);
  for (let at = 0; at < bytes.length; at += size) {
    const fin = at + size >= bytes.length;
    accepted.send(bytes.subarray(at, at + size), { binary: false, fin });
    await pause(0);
  }
}

async function answeredPing(accepted: WebSocket): Promise<void> {
  const answered = new Promise((resolve) => accepted.once('pong', resolve));
  accepted.ping();
  await answered;
}
