import type { IncomingMessage, ServerResponse } from 'node:http';
import Koa from 'koa';
import type { Logger } from 'pino';
import { isUpgrade } from '../../specs/operations/operation.ts';
import type { OriginUnion } from '../access/origins.ts';
import { ApiError } from '../errors/api-error.ts';
import { notHttp } from '../errors/connection-errors.ts';
import { methodNotAllowed, noSuchRoute } from '../errors/request-errors.ts';
import { refusalAnswer } from './answer/refusal-answer.ts';
import type { Route } from './bind.ts';
import { answerOpenPreflight, answerPreflight, isPreflight } from './preflight.ts';
import { discardBody } from './request/discard-body.ts';
import { requestIdOf } from './request-id.ts';
import { createSegmentRouter } from './segment-router.ts';
import { serveOperation, type ServeOptions } from './serve-operation.ts';

interface KoaAppOptions {
  routes: readonly Route[];
  /** Origins of all app keys, used to answer preflights. */
  origins: OriginUnion;
  /**
   * Counts a request that no operation serves.
   *
   * @throws ApiError 429
   */
  admitKeyless: (address: string) => Promise<void>;
  logger: Logger;
  serving: ServeOptions;
}

interface KoaApp {
  /** Handles a request. Resolves when the response is complete. */
  handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  /** Reports whether the path belongs to an operation that is a WebSocket. */
  isSocketPath: (path: string) => boolean;
}

/** Routes requests to their operations, and answers those that no operation serves: preflights and refusals. */
export function createKoaApp({ routes, origins, admitKeyless, logger, serving }: KoaAppOptions): KoaApp {
  const app = new Koa();
  const router = createSegmentRouter();
  /** Used only to look up which paths are WebSockets. */
  const socketPaths = createSegmentRouter();
  const isAdmitted = async (ctx: Koa.Context): Promise<boolean> => {
    try {
      await admitKeyless(ctx.ip);
      return true;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      sendRefusal(ctx, error);
      return false;
    }
  };
  for (const route of routes) {
    const serve = serveOperation(route, serving);
    router.register(route.operation, (ctx) => serve(ctx, ctx.params));
    if (isUpgrade(route.operation)) socketPaths.register(route.operation, (ctx) => serve(ctx, ctx.params));
    if (route.operation.anyOrigin === true) {
      router.register({ path: route.operation.path, method: 'options' }, async (ctx, next) => {
        if (!isPreflight(ctx)) await next();
        else if (await isAdmitted(ctx)) answerOpenPreflight(ctx);
      });
    }
  }
  app.use(async (ctx, next) => {
    requestIdOf(ctx.res);
    // Responses depend on the key and the time. The few that may be cached set their own header.
    ctx.set('Cache-Control', 'no-store');
    if (lacksHost(ctx.req)) {
      ctx.set('Connection', 'close');
      sendRefusal(ctx, notHttp('it has no header Host'));
    } else if (hasPath(ctx)) await next();
    else if (await isAdmitted(ctx)) sendRefusal(ctx, noSuchRoute(ctx.method, ctx.url));
  });
  app.use(router.routes);
  app.use(async (ctx) => {
    if (!ctx.req.complete) void discardBody(ctx.req, ctx.res);
    if (!(await isAdmitted(ctx))) return;
    const allowed = router.methodsOf(ctx.path);
    const preflight = await answerPreflight(ctx, origins, allowed);
    if (preflight === 'answered') return;
    const missing =
      allowed.length > 0
        ? methodNotAllowed(ctx.method, ctx.path, allowed)
        : noSuchRoute(ctx.method, ctx.path);
    sendRefusal(ctx, preflight ?? missing);
  });
  app.on('error', (error: Error, ctx: Koa.Context) => logBrokenAnswer(logger, error, ctx));
  return { handle: app.callback(), isSocketPath: (path) => socketPaths.methodsOf(path).length > 0 };
}

/**
 * Reports whether the target of a request has a path. Koa parses the target lazily. A proxy sends a URL,
 * which may be malformed.
 */
function hasPath(ctx: Koa.Context): boolean {
  try {
    void ctx.path;
    return true;
  } catch {
    return false;
  }
}

/** Responds to a request that no operation serves. */
function sendRefusal(ctx: Koa.Context, refusal: ApiError): void {
  const { status, body, headers = {} } = refusalAnswer(refusal, requestIdOf(ctx.res));
  ctx.status = status;
  ctx.set(headers);
  ctx.body = body;
}

/** HTTP/1.0 does not require the header. */
function lacksHost({ headers, httpVersion }: IncomingMessage): boolean {
  return headers.host === undefined && httpVersion === '1.1';
}

/** Codes of a connection that its client has closed or reset. */
const leftCodes = ['ECONNRESET', 'EPIPE', 'HPE_INVALID_EOF_STATE'];

/** Logs why a response was not completed. A client that leaves is not a failure of the service, and is logged without a stack. */
function logBrokenAnswer(logger: Logger, error: NodeJS.ErrnoException, { req, res }: Koa.Context): void {
  if (!leftCodes.includes(error.code ?? '')) {
    logger.warn({ err: error }, 'an answer failed');
    return;
  }
  const left = req.complete ? 'a client closed its connection' : 'a client closed its upload';
  logger.info({ requestId: requestIdOf(res) }, left);
}
