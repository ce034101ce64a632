import type { Context, Middleware } from 'koa';
import type { OriginUnion } from '../../access/origins.ts';
import { originRefused } from '../../errors/app-key-errors.ts';
import { sendError } from './send-reply.ts';

/** Where browsers of other origins may call by a key: nowhere else is anything for app keys (SPEC.md, Authentication 7). */
const crossOriginPaths = '/invocations/';

/** What scripts of other origins may read besides status and body. */
const exposedHeaders = 'Retry-After, X-Execution-Id';

/** The same of what everybody may read: its tag, to ask again by, and how long to wait. */
const openHeaders = 'ETag, Retry-After';

/** How long a browser may remember a preflight; what a key takes is held against every request anyway. */
const preflightSeconds = 600;

/** The origin of the page that called, where that matters; `undefined` for callers that are no browsers. */
export function callingOrigin(ctx: Context): string | undefined {
  if (!ctx.path.startsWith(crossOriginPaths)) return undefined;
  // Whether an answer can be shared between origins must be said to caches even when none was sent.
  ctx.set('Vary', 'Origin');
  return ctx.get('origin') || undefined;
}

/** Lets scripts of the origin read the answer, refusal or not. */
export function allowOrigin(ctx: Context, origin: string): void {
  ctx.set('Access-Control-Allow-Origin', origin);
  ctx.set('Access-Control-Expose-Headers', exposedHeaders);
}

/**
 * Lets scripts of every origin read the answer, refusal or not, of an operation for `anyOrigin`. What was asked for with a key is
 * for who has the key, and left to the origins of app keys: none, on these paths.
 */
export function allowAnyOrigin(ctx: Context): void {
  if (ctx.get('authorization') !== '') return;
  ctx.set('Access-Control-Allow-Origin', '*');
  ctx.set('Access-Control-Expose-Headers', openHeaders);
}

/** Answers the question of a browser whether it may send a request to an operation for `anyOrigin`. */
export const answerOpenPreflight: Middleware = async (ctx, next) => {
  if (!isPreflight(ctx)) {
    await next();
    return;
  }
  ctx.status = 204;
  ctx.set('Access-Control-Allow-Origin', '*');
  ctx.set('Access-Control-Allow-Methods', 'GET, HEAD');
  // All but Authorization, which the asterisk leaves out.
  ctx.set('Access-Control-Allow-Headers', '*');
  ctx.set('Access-Control-Max-Age', String(preflightSeconds));
};

/**
 * Answers the question of a browser whether it may send a request, which comes without a key: from the union of all app keys'
 * origins.
 *
 * @param methods of the path that is asked for
 * @returns `false` when the request is no such question
 */
export async function answerPreflight(
  ctx: Context,
  union: OriginUnion,
  methods: readonly string[],
): Promise<boolean> {
  if (!isPreflight(ctx)) return false;
  const origin = callingOrigin(ctx);
  if (origin === undefined || methods.length === 0) return false;
  ctx.vary('Access-Control-Request-Method, Access-Control-Request-Headers');
  if (!(await union.includes(origin))) {
    sendError(ctx, originRefused());
    return true;
  }
  ctx.status = 204;
  ctx.set('Access-Control-Allow-Origin', origin);
  ctx.set('Access-Control-Allow-Methods', methods.join(', '));
  // Callers may add headers of their own; none of them carries rights beyond the key's.
  const headers = ctx.get('access-control-request-headers');
  if (headers !== '') ctx.set('Access-Control-Allow-Headers', headers);
  ctx.set('Access-Control-Max-Age', String(preflightSeconds));
  return true;
}

function isPreflight(ctx: Context): boolean {
  return ctx.method === 'OPTIONS' && ctx.get('access-control-request-method') !== '';
}
