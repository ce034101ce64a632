import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { pino } from 'pino';
import type { Gate } from '../../service/access/gate/gate.ts';
import type { Recheck } from '../../service/access/gate/recheck.ts';
import type { MismatchMode } from '../../service/http/answer/contract-report.ts';
import type { Route } from '../../service/http/bind.ts';
import { type ConnectionOptions, createHttpServer } from '../../service/http/server.ts';
import { FairQueue } from '../../service/work/fair-queue.ts';
import { systemClock } from '../../service/clock.ts';
import { createSockets, type Sockets } from '../../service/http/upgrade/sockets.ts';
import { limits } from '../../specs/limits.ts';
import { createMetrics, type Metrics } from '../../service/metrics.ts';

/** An HTTP server with the routes of a test, without keys or a database. */
export interface RouteServer {
  url: string;
  port: number;
  /** Lines of the log so far. */
  log: string[];
  metrics: Metrics;
  sockets: Sockets;
  httpServer: Server;
  /** Returns the number of open connections. */
  connections(): Promise<number>;
  close(): Promise<void>;
}

interface RouteServerOptions {
  mismatches?: MismatchMode;
  connections?: Partial<ConnectionOptions>;
  pingMs?: number;
  /** Default: admits every request. */
  gate?: Gate;
  /** Default: every key stays valid. */
  recheck?: Recheck;
  host?: string;
}

export async function serveRoutes(
  routes: readonly Route[],
  {
    mismatches = 'reject',
    connections,
    pingMs = limits.socketPingMs,
    gate = () => Promise.resolve({ admitted: true, principal: undefined, headers: {} }),
    recheck = () => Promise.resolve(true),
    host = '127.0.0.1',
  }: RouteServerOptions = {},
): Promise<RouteServer> {
  const log: string[] = [];
  const metrics = createMetrics();
  const sockets = createSockets({ pingMs });
  const server = createHttpServer({
    routes,
    logger: pino({}, { write: (line) => log.push(line) }),
    metrics,
    gate,
    sockets,
    recheck,
    mainThreadQueue: new FairQueue({ clock: systemClock, slots: 1, onMainThread: true }),
    admitKeyless: () => Promise.resolve(),
    connections: {
      ...limits.connections,
      pipelined: limits.pipelinedRequests,
      headMs: limits.requestHeadMs,
      bodyRate: limits.bodyRate,
      unreadMs: limits.unreadAnswerMs,
      unreadResponses: limits.unreadResponses,
      arrivingBodies: limits.arrivingBodies,
      idleMs: limits.idleConnectionMs,
      heartbeatMs: limits.streamHeartbeatMs,
      keyCheckMs: limits.socketKeyCheckMs,
      ...connections,
    },
    origins: { includes: () => Promise.resolve(false) },
    draining: () => false,
    mismatches,
  }).listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    log,
    metrics,
    sockets,
    httpServer: server,
    connections: promisify(server.getConnections.bind(server)),
    close: async () => {
      server.closeAllConnections();
      sockets.terminate();
      if (!server.listening) return;
      server.close();
      await once(server, 'close');
    },
  };
}
