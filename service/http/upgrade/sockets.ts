import type { IncomingMessage } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';
import type { MemoryShare } from '../held-memory.ts';
import { type ClientSocket, closeCodes, createClientSocket } from './client-socket.ts';
import { tokenProtocolOf } from './handshake.ts';

/** The WebSockets of a server. */
export interface Sockets {
  /** Notes that the connection of a request can be upgraded. `head` is the data that arrived after the request. */
  offer(request: IncomingMessage, head: Buffer): void;
  isOffered(request: IncomingMessage): boolean;
  /** Upgrades the connection of a request whose headers are checked. Undefined if the client has left. */
  accept<Sent>(request: IncomingMessage, options: AcceptOptions<Sent>): ClientSocket<Sent> | undefined;
  /** Called when the process is about to exit: closes the sockets that do not finish on their own. */
  drain(): void;
  /** Closes all sockets. */
  close(): void;
  /** Closes the connections of all sockets. */
  terminate(): void;
}

interface AcceptOptions<Sent> {
  encode: (message: Sent) => string | Uint8Array;
  /** Maximum size of a message from the client; undefined if it may send none. */
  maxBytes: number | undefined;
  /** Counts the messages that the client sends. */
  memory: MemoryShare;
  /** The socket may stay open until the end of the grace period of a process that is about to exit. */
  finishes: boolean;
}

/** Size of a message that is refused because the client may send none. */
const unwantedBytes = 4_096;

/** @param pingMs interval of pings, in milliseconds */
export function createSockets({ pingMs }: { pingMs: number }): Sockets {
  const heads = new WeakMap<IncomingMessage, Buffer>();
  const open = new Map<WebSocket, { socket: Pick<ClientSocket<never>, 'close'>; finishes: boolean }>();
  const servers = new Map<number, WebSocketServer>();

  const serverFor = (maxPayload: number): WebSocketServer => {
    let server = servers.get(maxPayload);
    if (!server) {
      server = new WebSocketServer({
        noServer: true,
        clientTracking: false,
        maxPayload,
        // Each message gets a turn of the event loop: one read of a connection may contain thousands.
        allowSynchronousEvents: false,
        handleProtocols: (offered) => tokenProtocolOf(offered) ?? false,
      });
      servers.set(maxPayload, server);
    }
    return server;
  };

  const closeWhere = (isMeant: (finishes: boolean) => boolean): void => {
    for (const { socket, finishes } of open.values()) {
      if (isMeant(finishes)) socket.close(closeCodes.goingAway, 'the service is shutting down');
    }
  };

  return {
    offer: (request, head) => void heads.set(request, head),
    isOffered: (request) => heads.has(request),
    accept: (request, { encode, maxBytes, memory, finishes }) => {
      const head = heads.get(request);
      if (!head) throw new Error('the request does not ask for an upgrade');
      let accepted: WebSocket | undefined;
      // Calls back synchronously, unless the client has left.
      serverFor(maxBytes ?? unwantedBytes).handleUpgrade(request, request.socket, head, (ws) => {
        accepted = ws;
      });
      if (!accepted) return undefined;
      const ws = accepted;
      const socket = createClientSocket(ws, {
        encode,
        receives: maxBytes !== undefined,
        connection: request.socket,
        memory,
        pingMs,
      });
      open.set(ws, { socket, finishes });
      ws.once('close', () => open.delete(ws));
      return socket;
    },
    drain: () => closeWhere((finishes) => !finishes),
    close: () => closeWhere(() => true),
    terminate: () => {
      for (const ws of open.keys()) ws.terminate();
    },
  };
}
