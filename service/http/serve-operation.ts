import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Context } from 'koa';
import type { Logger } from 'pino';
import { limits } from '../../specs/limits.ts';
import { gateStatuses, isUpgrade, type Operation } from '../../specs/operations/operation.ts';
import { networkOf } from '../access/caller-network.ts';
import type { Gate } from '../access/gate/gate.ts';
import type { Recheck } from '../access/gate/recheck.ts';
import { startStopwatch } from '../clock.ts';
import { ApiError } from '../errors/api-error.ts';
import { databaseUnavailable, unclassified } from '../errors/request-errors.ts';
import { isUnavailable } from '../store/database-errors.ts';
import type { Metrics } from '../metrics.ts';
import type { FairQueue } from '../work/fair-queue.ts';
import type { AnyAnswer } from './answer/answer.ts';
import { createAnswerCheck } from './answer/check-answer.ts';
import type { ContractReport } from './answer/contract-report.ts';
import { type Outgoing, prepareAnswer } from './answer/outgoing.ts';
import { refusalAnswer } from './answer/refusal-answer.ts';
import { requestIdOf } from './request-id.ts';
import type { HeldAnswers } from './answer/held-answers.ts';
import { sendAnswer } from './answer/send-answer.ts';
import type { Route } from './bind.ts';
import { type BodyRate, watchBody } from './connections/watch-body.ts';
import type { HeldMemory, MemoryCaller } from './held-memory.ts';
import { discardBody } from './request/discard-body.ts';
import type { readLines } from './request/read-lines.ts';
import { linesOf, parseParams, parseQuery, receiveBody } from './request/parse-request.ts';
import { authorizationOf, checkHandshake } from './upgrade/handshake.ts';
import type { Sockets } from './upgrade/sockets.ts';

/** What the routes of a server share. */
export interface ServeOptions {
  gate: Gate;
  /** Receives the differences between responses and their operations. */
  contract: ContractReport;
  logger: Logger;
  metrics: Metrics;
  /** How fast bodies must arrive. */
  bodyRate: BodyRate;
  /** Shares operations with `queued` fairly among tenants. */
  mainThreadQueue: FairQueue;
  /** Large responses that are waiting to be read. */
  answers: HeldAnswers;
  /** Memory of large bodies that are being received. */
  bodies: HeldMemory;
  /** Time without a frame after which an event stream sends a comment, in milliseconds. */
  heartbeatMs: number;
  sockets: Sockets;
  /** Periodically rechecks the key of an open WebSocket. */
  recheck: Recheck;
  /** Interval of these checks, in milliseconds. */
  keyCheckMs: number;
  /** Notes that a caller with a valid key sent the request. */
  trust: (request: IncomingMessage) => void;
  /** Returns a signal that aborts when the client of a request leaves. */
  signalOf: (request: IncomingMessage, response: ServerResponse) => AbortSignal;
  /** Reports whether the process is about to exit; connections are then closed after their response. */
  draining: () => boolean;
}

type Serve = (ctx: Context, params: Record<string, string>) => Promise<void>;

/** Serves one route: gate, parameters, body, handler, response. Resolves when the response is complete. */
export function serveOperation(route: Route, options: ServeOptions): Serve {
  const { operation } = route;
  const {
    contract,
    logger,
    metrics,
    mainThreadQueue,
    sockets,
    recheck,
    keyCheckMs,
    draining,
    heartbeatMs,
    signalOf,
    answers,
    bodies,
  } = options;
  const check = createAnswerCheck(operation, contract.maxBodySize);
  const onProblem = (problem: string): void => contract.mismatch(operation.id, problem);

  // Probes declare no 429.
  const mayRefuse = gateStatuses(operation).includes(429);

  const refusalOf = (error: unknown, requestId: string): ApiError => {
    if (error instanceof ApiError) return error;
    logger.error({ err: error, requestId, operation: operation.id }, 'unexpected failure');
    // Probes declare no such response.
    const mayRetry = operation.family !== 'system' && isUnavailable(error);
    return mayRetry ? databaseUnavailable() : unclassified(operation.family, requestId);
  };

  const outgoingFor = async (arrived: Arrived): Promise<{ outgoing: Outgoing; tenantId?: string }> => {
    const maxMessageBytes = operation.responses[101]?.socket?.receives?.maxBytes;
    const requestId = requestIdOf(arrived.ctx.res);
    const refusedBy = (error: unknown): AnyAnswer => refusalAnswer(refusalOf(error, requestId), requestId);
    const preparing = { check, onProblem, maxMessageBytes, signal: arrived.signal };
    try {
      const { tenantId, handle } = await admit(route, options, arrived);
      const respond = async (): Promise<Outgoing> => {
        const answer = await handle();
        // A handler may still read lines while its response is sent.
        if (operation.body?.kind !== 'lines') dropRest(arrived.ctx);
        return prepareAnswer(answer, preparing);
      };
      const isQueued = operation.queued === true && tenantId !== undefined;
      const outgoing = await (isQueued
        ? mainThreadQueue.run(tenantId, respond, { maxQueued: limits.waitingListsPerTenant })
        : respond());
      const held = mayRefuse
        ? answers.hold(outgoing, arrived.ctx.res, callerOf(arrived.ctx, tenantId))
        : outgoing;
      return { outgoing: held, ...(tenantId !== undefined && { tenantId }) };
    } catch (error) {
      dropRest(arrived.ctx);
      try {
        return { outgoing: await prepareAnswer(refusedBy(error), preparing) };
      } catch (mismatch) {
        // A refusal may also differ from the operation.
        return { outgoing: await prepareAnswer(refusedBy(mismatch), preparing) };
      }
    }
  };

  return async (ctx, params) => {
    const elapsedMs = startStopwatch();
    const signal = signalOf(ctx.req, ctx.res);
    const { outgoing, tenantId } = await outgoingFor({ ctx, params, signal });
    const authorization = authorizationFor(operation, ctx);
    const isOpen = operation.caller === 'public' || authorization === undefined;
    const isValid = async (): Promise<boolean> => isOpen || recheck({ authorization, address: ctx.ip });
    const keyCheck = { isValid, intervalMs: keyCheckMs };
    const memory = bodies.share(callerOf(ctx, tenantId));
    const sending = { sockets, keyCheck, memory, signal, heartbeatMs };
    if (draining()) ctx.set('Connection', 'close');
    await sendAnswer(ctx, outgoing, sending)?.catch((error: unknown) => {
      logger.error({ err: error, operation: operation.id }, 'a stream or a WebSocket failed after its start');
    });
    const seconds = elapsedMs() / 1000;
    metrics.observeRequest(operation.id, ctx.status, seconds);
    if (logger.isLevelEnabled('debug')) {
      const ms = Math.round(seconds * 1000);
      logger.debug(
        { requestId: requestIdOf(ctx.res), operation: operation.id, status: ctx.status, ms },
        'request',
      );
    }
  };
}

interface Arrived {
  ctx: Context;
  params: Record<string, string>;
  signal: AbortSignal;
}

/** Drops the rest of the body that the handler has not read. */
function dropRest({ req: request, res: response }: Context): void {
  if (!request.complete) void discardBody(request, response);
}

/** A request that passed the gate, and whose body is parsed by `handle`. */
interface Admitted {
  tenantId: string | undefined;
  handle: () => Promise<AnyAnswer>;
}

async function admit(
  route: Route,
  { gate, trust, bodyRate, sockets, bodies }: ServeOptions,
  { ctx, params, signal }: Arrived,
): Promise<Admitted> {
  const { operation } = route;
  const decision = await gate({
    operation,
    authorization: authorizationFor(operation, ctx),
    origin: ctx.get('origin') || undefined,
    address: ctx.ip,
  });
  ctx.set(decision.headers);
  if (!decision.admitted) throw decision.refusal;
  if (decision.principal) trust(ctx.req);
  const [parsedParams, parsedQuery] = [parseParams(operation, params), parseQuery(operation, ctx)];
  // A stream of lines may pause. Most bodies have arrived by now.
  if (!ctx.req.complete && !linesOf(operation, ctx.req)) watchBody(ctx.req, ctx.res, bodyRate);
  const tenantId = decision.principal?.tenant.id;
  const memory = bodies.share(callerOf(ctx, tenantId));
  // A handler that waits for a node or a flow holds its input until then.
  ctx.res.once('close', () => memory.release());
  const parse = await receiveBody(operation, { request: ctx.req, response: ctx.res, memory }).finally(() => {
    if (ctx.res.closed) memory.release();
  });
  // A handler may respond before it has read any or all lines; the rest is then dropped.
  const lines = linesOf(operation, ctx.req) ? parse() : undefined;
  if (isLines(lines)) {
    ctx.res.once('close', () => {
      void lines.return();
      dropRest(ctx);
    });
  }
  const context = {
    // The types of one operation end here: `bind` restores them for its handler.
    principal: decision.principal,
    params: parsedParams as never,
    query: parsedQuery as never,
    headers: ctx.headers,
    address: ctx.ip,
    signal,
  };
  if (isUpgrade(operation)) {
    const asked = sockets.isOffered(ctx.req);
    if (!asked) await route.check?.({ ...context, body: undefined });
    checkHandshake(operation, ctx, asked);
  }
  // Parsed within the handler's turn: a body may have many values.
  return { tenantId, handle: async () => route.handle({ ...context, body: parse() }) };
}

/** Returns the caller to whose share the memory of a request counts. */
function callerOf({ ip }: Context, tenantId: string | undefined): MemoryCaller {
  const hasKey = tenantId !== undefined;
  return { name: hasKey ? `tenant ${tenantId}` : `address ${networkOf(ip)}`, hasKey };
}

function authorizationFor(operation: Operation, ctx: Context): string | undefined {
  return isUpgrade(operation) ? authorizationOf(ctx.headers) : ctx.get('authorization') || undefined;
}

function isLines(body: unknown): body is ReturnType<typeof readLines> {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}
