import type { Context } from 'koa';
import type { Admission } from '../../access/admission.ts';
import type { Authenticator } from '../../access/authenticate.ts';
import { type OriginUnion, takesOrigin } from '../../access/origins.ts';
import type { Principal } from '../../access/principal.ts';
import { draining } from '../../errors/request-errors.ts';
import type { Route } from '../bind.ts';
import { allowAnyOrigin, allowOrigin, callingOrigin } from './cors.ts';
import { parseBody, parseParams, parseQuery } from './parse-request.ts';
import { sendReply } from './send-reply.ts';

/** Who may pass, asked in this order before anything of the request is read. */
export interface Gate {
  authenticate: Authenticator;
  admit: Admission;
  /** Origins that app keys take, by which browsers hear of refusals that come before a key is known. */
  origins: OriginUnion;
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
  const { operation } = route;
  const principal = await admitted(route, gate, ctx);
  const reply = await route.handle({
    // The casts end where the types of one operation begin: bind.ts promised that the handler is this operation's own.
    principal,
    params: parseParams(operation, params) as never,
    query: parseQuery(operation, ctx.query) as never,
    body: await parseBody(operation, ctx.req),
    headers: ctx.headers,
    signal: abortOnClose(ctx),
  });
  sendReply(ctx, reply);
}

/** The caller, once through the gate; `undefined` where the operation does without one. */
async function admitted({ operation }: Route, gate: Gate, ctx: Context): Promise<Principal | undefined> {
  if (operation.anyOrigin === true) allowAnyOrigin(ctx);
  const origin = callingOrigin(ctx);
  const authorization = ctx.get('authorization') || undefined;
  const isOpen =
    operation.caller === 'public' || (operation.caller === 'optional-key' && authorization === undefined);
  let principal: Principal | undefined;
  try {
    if (gate.draining() && operation.family !== 'system') throw draining();
    if (!isOpen) principal = await gate.authenticate(authorization, ctx.ip);
  } catch (error) {
    // No key has an allowlist here. Without the header a browser could not tell a bad key from a broken network.
    if (origin !== undefined && (await gate.origins.includes(origin))) allowOrigin(ctx, origin);
    throw error;
  }
  const key = principal?.key;
  if (origin !== undefined && key?.kind === 'app' && takesOrigin(key, origin)) allowOrigin(ctx, origin);
  gate.admit(operation, principal, { origin: ctx.get('origin') || undefined, address: ctx.ip });
  return principal;
}

/** Aborts when the connection goes before the answer is complete. */
function abortOnClose(ctx: Context): AbortSignal {
  const gone = new AbortController();
  ctx.res.once('close', () => {
    if (!ctx.res.writableFinished) gone.abort(new Error('the caller went away'));
  });
  return gone.signal;
}
