import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from '../../access/caller-network.ts';
import type { ApiError } from '../../errors/api-error.ts';
import { tooManyConnections } from '../../errors/connection-errors.ts';
import { newRequestId, requestIdOf } from '../request-id.ts';
import { closeWith } from './close-with.ts';

/** The maximum numbers of connections, and of requests on one. */
export interface ConnectionBounds {
  /** Open connections. */
  total: number;
  /** Open connections per address. */
  perAddress: number;
  /** Requests of one connection that wait for responses. */
  pipelined: number;
}

/** The open connections of a server. */
interface Connections {
  /** Counts a new connection. Beyond a limit, closes an older connection or this one. */
  open(socket: Socket): void;
  /**
   * Counts a request until its response is complete.
   *
   * @returns false if it must be dropped: the connection is closed, or is closed now because too many of its requests wait
   */
  begin(request: IncomingMessage, response: ServerResponse): boolean;
  /**
   * Returns a signal that aborts when the client of a request leaves: when the connection closes before the response is complete, or
   * when the client closes its sending half, which cannot be distinguished from leaving.
   */
  signalOf(request: IncomingMessage, response: ServerResponse): AbortSignal;
  /** Notes that the connection now belongs to a WebSocket, which detects by itself that its client leaves. */
  handOver(socket: Socket): void;
  /** Reports whether a response is still being prepared, and no data is buffered for the client. */
  isWorking(socket: Socket): boolean;
  /** Returns how many requests of the connection have begun. */
  begun(socket: Socket): number;
  /** Reports whether requests of the connection wait for their responses. */
  isBusy(socket: Socket): boolean;
  /**
   * Refuses the data that has arrived and closes the connection. Sends no refusal while a response is in
   * progress.
   *
   * @param error the reason for closing, if no refusal can be sent
   * @param refusal undefined for a connection that accepts no response
   */
  refuse(socket: Socket, error: Error, refusal: ApiError | undefined): void;
  /** Notes that the connection belongs to a caller with a valid key, and is not closed in favour of others. */
  trust(socket: Socket): void;
}

interface Connection {
  group: Group;
  /** Incomplete responses, each with a controller that aborts when the client leaves. */
  unanswered: Map<ServerResponse, AbortController>;
  begun: number;
  isHandedOver: boolean;
}

/** The connections of one address. */
interface Group {
  address: string;
  open: number;
  /** Those without a valid key, the oldest first. */
  strangers: Set<Socket>;
}

const departed = (): Error => new Error('the client has left');

/**
 * Beyond a limit, the oldest connection without a valid key is closed in favor of the new one. Stalled
 * connections therefore keep no one out, not even callers behind the same proxy. If all have a key, the new
 * connection is refused.
 */
export function createConnections({ total, perAddress, pipelined }: ConnectionBounds): Connections {
  const connections = new Map<Socket, Connection>();
  const groups = new Map<string, Group>();
  const strangers = new Set<Socket>();

  const forget = (socket: Socket): void => {
    const connection = connections.get(socket);
    if (!connection) return;
    const { group } = connection;
    connections.delete(socket);
    strangers.delete(socket);
    group.strangers.delete(socket);
    group.open -= 1;
    if (group.open === 0) groups.delete(group.address);
  };

  const isBusy = (socket: Socket): boolean => (connections.get(socket)?.unanswered.size ?? 0) > 0;

  /**
   * A client that has only closed its sending half still receives its responses. The last one announces that
   * the connection closes.
   */
  const endSending = (socket: Socket): void => {
    const connection = connections.get(socket);
    if (!connection || connection.isHandedOver) return;
    const unanswered = [...connection.unanswered];
    const [last] = unanswered.at(-1) ?? [];
    if (last) last.shouldKeepAlive = false;
    for (const [, departure] of unanswered) departure.abort(departed());
  };

  return {
    open: (socket) => {
      const address = networkOf(socket.remoteAddress ?? '');
      const group = groups.get(address) ?? { address, open: 0, strangers: new Set() };
      const candidates =
        group.open >= perAddress ? group.strangers : connections.size >= total ? strangers : undefined;
      if (candidates) {
        const [oldest] = candidates;
        if (!oldest) {
          closeWith(socket, tooManyConnections(), newRequestId());
          return;
        }
        forget(oldest);
        oldest.destroy();
      }
      connections.set(socket, { group, unanswered: new Map(), begun: 0, isHandedOver: false });
      groups.set(address, group);
      strangers.add(socket);
      group.strangers.add(socket);
      group.open += 1;
      socket.once('end', () => endSending(socket));
      socket.once('close', () => forget(socket));
    },
    begin: ({ socket }, response) => {
      // The parser continues with what arrived before the connection was closed.
      const connection = socket.destroyed ? undefined : connections.get(socket);
      if (!connection) return false;
      if (connection.unanswered.size >= pipelined) {
        socket.destroy();
        return false;
      }
      connection.begun += 1;
      const departure = new AbortController();
      connection.unanswered.set(response, departure);
      response.once('close', () => {
        connection.unanswered.delete(response);
        if (!response.writableFinished) departure.abort(departed());
      });
      return true;
    },
    signalOf: ({ socket }, response) =>
      connections.get(socket)?.unanswered.get(response)?.signal ?? AbortSignal.abort(departed()),
    handOver: (socket) => {
      const connection = connections.get(socket);
      if (connection) connection.isHandedOver = true;
    },
    isWorking: (socket) => isBusy(socket) && socket.writableLength === 0,
    begun: (socket) => connections.get(socket)?.begun ?? 0,
    isBusy,
    refuse: (socket, error, refusal) => {
      const [first, ...others] = connections.get(socket)?.unanswered.keys() ?? [];
      // A refusal of the body of the only pending request is the response to that request.
      const answersFirst = first !== undefined && !first.req.complete && !first.headersSent;
      const canAnswer = socket.writable && others.length === 0 && (!first || answersFirst);
      if (refusal && canAnswer) closeWith(socket, refusal, first ? requestIdOf(first) : newRequestId());
      else socket.destroy(error);
    },
    trust: (socket) => {
      if (strangers.delete(socket)) connections.get(socket)?.group.strangers.delete(socket);
    },
  };
}
