import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import Koa from 'koa';
import type { Logger } from 'pino';
import { ApiError } from '../errors/api-error.ts';
import { methodNotAllowed, noSuchRoute, unclassified } from '../errors/request-errors.ts';
import type { Metrics } from '../metrics.ts';
import type { Route } from './bind.ts';
import { checkAnswer } from './middleware/check-answer.ts';
import { answerOpenPreflight, answerPreflight } from './middleware/cors.ts';
import { sendError } from './middleware/send-reply.ts';
import { type Gate, serveOperation } from './middleware/serve-operation.ts';
import { createSegmentRouter } from './segment-router.ts';

export interface HttpOptions {
  routes: readonly Route[];
  gate: Gate;
  logger: Logger;
  metrics: Metrics;
}

/** The HTTP server, not yet listening: every route an operation, one renderer of refusals. */
export function createHttpServer(options: HttpOptions): Server {
  const app = new Koa();
  const router = createSegmentRouter();
  for (const route of options.routes) {
    router.register(route.operation, (ctx) =>
      observed(options, route, ctx, () => serveOperation(route, options.gate, ctx, ctx.params)),
    );
    if (route.operation.anyOrigin === true) {
      router.register({ path: route.operation.path, method: 'options' }, answerOpenPreflight);
    }
  }
  app.use(router.routes);
  app.use(async (ctx) => {
    const allowed = router.methodsOf(ctx.path);
    if (await answerPreflight(ctx, options.gate.origins, allowed)) return;
    sendError(
      ctx,
      allowed.length > 0
        ? methodNotAllowed(ctx.method, ctx.path, allowed)
        : noSuchRoute(ctx.method, ctx.path),
    );
  });
  app.on('error', (error: Error) => options.logger.warn({ err: error }, 'answer failed'));
  const handle = app.callback();
  const server = createServer((request, response) => void handle(request, response));
  // Uploads may last minutes by SPEC.md; a sender that stalls is cut by the idle timeout of its socket instead.
  server.requestTimeout = 0;
  return server;
}

/** Renders refusals, logs what nobody foresaw, holds answers to what is declared, and measures. */
async function observed(
  { gate, logger, metrics }: HttpOptions,
  { operation }: Route,
  ctx: Koa.Context,
  serve: () => Promise<void>,
): Promise<void> {
  const startedAt = performance.now();
  const fail = (error: unknown): void => {
    const requestId = randomUUID();
    logger.error({ err: error, requestId, operation: operation.id }, 'unclassified failure');
    sendError(ctx, unclassified(operation.family, requestId));
  };
  try {
    await serve();
  } catch (error) {
    if (error instanceof ApiError) sendError(ctx, error);
    else fail(error);
  }
  if (gate.checkAnswers) {
    try {
      checkAnswer(operation, ctx);
    } catch (error) {
      for (const name of Object.keys(ctx.response.headers)) ctx.remove(name);
      fail(error);
    }
  }
  const seconds = (performance.now() - startedAt) / 1000;
  metrics.observeRequest(operation.id, ctx.status, seconds);
  if (logger.isLevelEnabled('debug')) {
    logger.debug({ operation: operation.id, status: ctx.status, ms: Math.round(seconds * 1000) }, 'request');
  }
  if (gate.draining()) ctx.set('Connection', 'close');
}
