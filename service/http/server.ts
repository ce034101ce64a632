import { createServer, type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import type { Gate } from '../access/gate/gate.ts';
import type { Recheck } from '../access/gate/recheck.ts';
import type { OriginUnion } from '../access/origins.ts';
import {
  bodiesOverloaded,
  responsesOverloaded,
  tooManyLargeBodies,
  tooManyUnreadResponses,
} from '../errors/memory-errors.ts';
import type { Metrics } from '../metrics.ts';
import { createContractReport, type MismatchMode } from './answer/contract-report.ts';
import type { Route } from './bind.ts';
import { GatheredRequest } from './request/gathered-request.ts';
import { type ConnectionBounds, createConnections } from './connections/connections.ts';
import { isHeadLate, parserRefusal } from './connections/parser-refusal.ts';
import type { BodyRate } from './connections/watch-body.ts';
import { HeldAnswers } from './answer/held-answers.ts';
import { HeldMemory, type MemoryBounds } from './held-memory.ts';
import type { FairQueue } from '../work/fair-queue.ts';
import { createKoaApp } from './koa-app.ts';
import type { ServeOptions } from './serve-operation.ts';
import { asksForSocket } from './upgrade/handshake.ts';
import type { Sockets } from './upgrade/sockets.ts';

interface HttpOptions {
  routes: readonly Route[];
  gate: Gate;
  /** Origins of all app keys, used to answer preflights. */
  origins: OriginUnion;
  /** Reports whether the process is about to exit. */
  draining: () => boolean;
  /**
   * Counts a request that no operation serves.
   *
   * @throws ApiError 429
   */
  admitKeyless: (address: string) => Promise<void>;
  connections: ConnectionOptions;
  /** Shares operations with `queued` fairly among tenants. */
  mainThreadQueue: FairQueue;
  sockets: Sockets;
  /** Rechecks the key of an open WebSocket. */
  recheck: Recheck;
  mismatches: MismatchMode;
  logger: Logger;
  metrics: Metrics;
}

/** How often Node checks for late request headers. */
const headCheckMs = 1_000;

/** Limits of connections, and of the requests and responses on them. */
export interface ConnectionOptions extends ConnectionBounds {
  /** Time for a client to send the headers of a request, in milliseconds. */
  headMs: number;
  /** How fast bodies must arrive. */
  bodyRate: BodyRate;
  /** Maximum time during which the client reads nothing of a response, in milliseconds. */
  unreadMs: number;
  /** Bytes of large responses that are waiting to be read. */
  unreadResponses: MemoryBounds;
  /** Bytes of large bodies that are being received. */
  arrivingBodies: MemoryBounds;
  /** Maximum time between two requests on a connection, in milliseconds. */
  idleMs: number;
  /** Time without a frame after which an event stream sends a comment, in milliseconds. */
  heartbeatMs: number;
  /** How often the key of an open WebSocket is checked, in milliseconds. */
  keyCheckMs: number;
}

/** Makes the HTTP server; it does not listen yet. */
export function createHttpServer(options: HttpOptions): Server {
  const { headMs, bodyRate, unreadMs, idleMs, heartbeatMs, keyCheckMs, ...others } = options.connections;
  const { unreadResponses, arrivingBodies, ...bounds } = others;
  const connections = createConnections(bounds);
  const serving: ServeOptions = {
    ...options,
    contract: createContractReport(options.mismatches, options),
    bodyRate,
    heartbeatMs,
    keyCheckMs,
    answers: new HeldAnswers(
      new HeldMemory({
        ...unreadResponses,
        callerRefusal: tooManyUnreadResponses,
        totalRefusal: responsesOverloaded,
      }),
    ),
    bodies: new HeldMemory({
      ...arrivingBodies,
      callerRefusal: tooManyLargeBodies,
      totalRefusal: bodiesOverloaded,
    }),
    trust: ({ socket }) => connections.trust(socket),
    signalOf: (request, response) => connections.signalOf(request, response),
  };
  const { handle, isSocketPath } = createKoaApp({ ...options, serving });
  const server = createServer({
    IncomingMessage: GatheredRequest,
    headersTimeout: headMs,
    // Bodies may take minutes, as long as they arrive.
    requestTimeout: 0,
    // Refused with a reason instead.
    requireHostHeader: false,
    connectionsCheckingInterval: Math.min(headMs, headCheckMs),
    keepAliveTimeout: idleMs,
    // All others are handled as ordinary requests. A connection cannot be upgraded while earlier requests on
    // it are pending.
    shouldUpgradeCallback: (request) =>
      asksForSocket(request) &&
      isSocketPath(request.url?.split('?')[0] ?? '') &&
      !connections.isBusy(request.socket),
  });
  // A client that closes its sending half after a request may still read the response. Node neither documents
  // nor types the property.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.timeout = unreadMs;
  // A connection is idle while a response is being prepared, for as long as callers may wait.
  server.on('timeout', (socket: Socket) => {
    const { bytesRead, writableLength } = socket;
    afterReads(() => {
      const isMoving = socket.bytesRead !== bytesRead || socket.writableLength !== writableLength;
      if (!isMoving && !connections.isWorking(socket)) socket.destroy();
    });
  });
  server.on('connection', (socket) => connections.open(socket));
  server.on('clientError', (error, duplex) => {
    const socket = duplex as Socket;
    const refuse = (): void => connections.refuse(socket, error, parserRefusal(error, headMs));
    if (!isHeadLate(error)) {
      refuse();
      return;
    }
    const begun = connections.begun(socket);
    afterReads(() => {
      if (connections.begun(socket) === begun) refuse();
    });
  });
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    if (connections.begin(request, response)) void handle(request, response);
  };
  server.on('request', onRequest);
  server.on('upgrade', (request: IncomingMessage, _socket: Duplex, head: Buffer) => {
    connections.handOver(request.socket);
    options.sockets.offer(request, head);
    onRequest(request, responseOf(request));
  });
  // By default, Node would ask for the body before the request is checked, and would answer an unknown
  // expectation itself, outside all limits.
  server.on('checkContinue', onRequest);
  server.on('checkExpectation', onRequest);
  return server;
}

/**
 * Calls a function after all data that has arrived has been read. In a process that was suspended or
 * overloaded, the timers of connections fire before that data is read.
 */
function afterReads(act: () => void): void {
  setImmediate(act);
}

/**
 * Creates the response to an upgrade request. Node creates none, and stops handling errors of the connection.
 */
function responseOf(request: IncomingMessage): ServerResponse {
  const { socket } = request;
  const response = new ServerResponse(request);
  socket.on('error', () => undefined);
  response.assignSocket(socket);
  // An ordinary response is a refusal, and ends the connection.
  response.shouldKeepAlive = false;
  response.once('finish', () => socket.destroySoon());
  return response;
}
