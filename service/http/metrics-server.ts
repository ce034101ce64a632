import { createServer, type Server } from 'node:http';
import type { Logger } from 'pino';
import type { Metrics } from '../metrics.ts';
import { metricsElsewhere } from './metrics-elsewhere.ts';

interface MetricsServerOptions {
  metrics: Pick<Metrics, 'render'>;
  logger: Pick<Logger, 'error'>;
}

/** Time for a whole request, in milliseconds. */
const requestMs = 10_000;
const connections = 100;

/** Makes the HTTP server of the metrics; it does not listen yet. No caller of the API reaches it. */
export function createMetricsServer({ metrics, logger }: MetricsServerOptions): Server {
  const server = createServer(
    { headersTimeout: requestMs, requestTimeout: requestMs },
    (request, response) => {
      const { method = '', url = '' } = request;
      if (url.split('?')[0] !== '/metrics' || !['GET', 'HEAD'].includes(method)) {
        response.writeHead(404, { 'Content-Type': 'text/plain; charset=utf-8' });
        response.end(`${metricsElsewhere}\n`);
        return;
      }
      metrics.render().then(
        (text) => {
          response.writeHead(200, { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' });
          response.end(text);
        },
        (error: unknown) => {
          logger.error({ err: error }, 'the metrics cannot be rendered');
          response.writeHead(500).end();
        },
      );
    },
  );
  server.maxConnections = connections;
  return server;
}
