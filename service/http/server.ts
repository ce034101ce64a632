import { createServer, type Server } from 'node:http';
import Koa from 'koa';
import type { Logger } from 'pino';
import type { Gate } from '../access/gate/gate.ts';
import type { OriginUnion } from '../access/origins.ts';
import type { ApiError } from '../errors/api-error.ts';
import { methodNotAllowed, noSuchRoute } from '../errors/request-errors.ts';
import type { Metrics } from '../metrics.ts';
import { createContractReport, type MismatchMode } from './answer/contract-report.ts';
import { refusalAnswer } from './answer/refusal-answer.ts';
import type { Route } from './bind.ts';
import { answerOpenPreflight, answerPreflight } from './preflight.ts';
import { createSegmentRouter } from './segment-router.ts';
import { serveOperation, type ServeOptions } from './serve-operation.ts';

interface HttpOptions {
  routes: readonly Route[];
  gate: Gate;
  /** Origins of all app keys, which answer preflights. */
  origins: OriginUnion;
  /** Reports whether the process is about to end. */
  draining: () => boolean;
  mismatches: MismatchMode;
  logger: Logger;
  metrics: Metrics;
}

/** Makes the HTTP server; it does not listen yet. */
export function createHttpServer(options: HttpOptions): Server {
  const { routes, origins, logger } = options;
  const app = new Koa();
  const router = createSegmentRouter();
  const serving: ServeOptions = { ...options, contract: createContractReport(options.mismatches, options) };
  for (const route of routes) {
    const serve = serveOperation(route, serving);
    router.register(route.operation, (ctx) => serve(ctx, ctx.params));
    if (route.operation.anyOrigin === true) {
      router.register({ path: route.operation.path, method: 'options' }, answerOpenPreflight);
    }
  }
  app.use(router.routes);
  app.use(async (ctx) => {
    const allowed = router.methodsOf(ctx.path);
    const preflight = await answerPreflight(ctx, origins, allowed);
    if (preflight === 'answered') return;
    const missing =
      allowed.length > 0
        ? methodNotAllowed(ctx.method, ctx.path, allowed)
        : noSuchRoute(ctx.method, ctx.path);
    sendRefusal(ctx, preflight ?? missing);
  });
  app.on('error', (error: Error) => logger.warn({ err: error }, 'an answer failed'));
  const handle = app.callback();
  const server = createServer((request, response) => void handle(request, response));
  // Uploads may take minutes. The idle timeout of the socket ends those that stall.
  server.requestTimeout = 0;
  return server;
}

/** Answers a request that no operation serves. */
function sendRefusal(ctx: Koa.Context, refusal: ApiError): void {
  const { status, body, headers = {} } = refusalAnswer(refusal);
  ctx.status = status;
  ctx.set(headers);
  ctx.body = body;
}
