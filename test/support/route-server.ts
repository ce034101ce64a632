import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { pino } from 'pino';
import type { MismatchMode } from '../../service/http/answer/contract-report.ts';
import type { Route } from '../../service/http/bind.ts';
import { type ConnectionOptions, createHttpServer } from '../../service/http/server.ts';
import { limits } from '../../specs/limits.ts';
import { createMetrics, type Metrics } from '../../service/metrics.ts';

/** An HTTP server with routes of a test, without keys or a database. */
export interface RouteServer {
  url: string;
  port: number;
  /** Lines of the log so far. */
  log: string[];
  metrics: Metrics;
  /** Number of open connections. */
  connections(): Promise<number>;
  close(): Promise<void>;
}

export async function serveRoutes(
  routes: readonly Route[],
  {
    mismatches = 'reject',
    connections,
    host = '127.0.0.1',
  }: { mismatches?: MismatchMode; connections?: Partial<ConnectionOptions>; host?: string } = {},
): Promise<RouteServer> {
  const log: string[] = [];
  const metrics = createMetrics();
  const server = createHttpServer({
    routes,
    logger: pino({}, { write: (line) => log.push(line) }),
    metrics,
    gate: () => Promise.resolve({ admitted: true, principal: undefined, headers: {} }),
    admitKeyless: () => Promise.resolve(),
    connections: {
      ...limits.connections,
      pipelined: limits.pipelinedRequests,
      headMs: limits.requestHeadMs,
      bodyRate: limits.bodyRate,
      unreadMs: limits.unreadAnswerMs,
      idleMs: limits.idleConnectionMs,
      heartbeatMs: limits.streamHeartbeatMs,
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
    connections: promisify(server.getConnections.bind(server)),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
