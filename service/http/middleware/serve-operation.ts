import type { Context } from 'koa';
import type { Admission } from '../../access/admission.ts';
import { draining } from '../../errors/request-errors.ts';
import type { Route } from '../bind.ts';
import type { Reply } from '../request-context.ts';
import { parseBody, parseParams, parseQuery } from './parse-request.ts';
import { sendReply } from './send-reply.ts';

/** Who may pass, asked in this order before anything of the request is read. */
export interface Gate {
  admit: Admission;
  /** Whether new work is turned away because the process is about to end. */
  draining(): boolean;
  /** Outside production: answers are held against what their operation declares. */
  checkAnswers: boolean;
}

/** Serves one route: gate, parameters, body, handler, answer. */
export async function serveOperation(
  route: Route,
  gate: Gate,
  ctx: Context,
  params: Record<string, string>,
): Promise<void> {
  sendReply(ctx, await answer(route, gate, ctx, params));
}

async function answer(
  route: Route,
  gate: Gate,
  ctx: Context,
  params: Record<string, string>,
): Promise<Reply> {
  const { operation } = route;
  if (gate.draining() && operation.family !== 'system') throw draining();
  const authorization = ctx.get('authorization') || undefined;
  const isOpen =
    operation.caller === 'public' || (operation.caller === 'optional-key' && authorization === undefined);
  const principal = isOpen ? undefined : await gate.admit(operation, authorization);
  return route.handle({
    // The casts end where the types of one operation begin: bind.ts promised that the handler is this operation's own.
    principal,
    params: parseParams(operation, params) as never,
    query: parseQuery(operation, ctx.query) as never,
    body: await parseBody(operation, ctx.req),
    headers: ctx.headers,
    signal: abortOnClose(ctx),
  });
}

/** Aborts when the connection goes before the answer is complete. */
function abortOnClose(ctx: Context): AbortSignal {
  const gone = new AbortController();
  ctx.res.once('close', () => {
    if (!ctx.res.writableFinished) gone.abort(new Error('the caller went away'));
  });
  return gone.signal;
}
