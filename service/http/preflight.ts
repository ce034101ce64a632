import type { Context } from 'koa';
import { isCrossOriginPath, variesByOrigin } from '../access/gate/cross-origin.ts';
import type { OriginUnion } from '../access/origins.ts';
import type { ApiError } from '../errors/api-error.ts';
import { originRefused } from '../errors/app-key-errors.ts';

/** How long a browser may cache the response to a preflight. Each actual request is checked against its key. */
const maxAgeSeconds = '600';

/** Answers preflights for an operation with `anyOrigin`. */
export function answerOpenPreflight(ctx: Context): void {
  ctx.status = 204;
  ctx.set({
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Allow-Methods': 'GET, HEAD',
    // The asterisk covers every header except Authorization.
    'Access-Control-Allow-Headers': '*',
    'Access-Control-Max-Age': maxAgeSeconds,
  });
}

/**
 * Answers preflights for invocation routes. A preflight has no key, so it is answered from the origins of all app keys.
 *
 * @param methods the methods of the requested path
 * @returns `answered`, or the refusal; undefined if the request is not such a preflight
 */
export async function answerPreflight(
  ctx: Context,
  union: OriginUnion,
  methods: readonly string[],
): Promise<'answered' | ApiError | undefined> {
  if (!isPreflight(ctx) || !isCrossOriginPath(ctx.path)) return undefined;
  ctx.set(variesByOrigin);
  const origin = ctx.get('origin');
  if (origin === '' || methods.length === 0) return undefined;
  ctx.vary('Access-Control-Request-Method, Access-Control-Request-Headers');
  if (!(await union.includes(origin))) return originRefused();
  ctx.status = 204;
  ctx.set({
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Allow-Methods': methods.join(', '),
    'Access-Control-Max-Age': maxAgeSeconds,
  });
  // Callers may add their own headers; none grants rights beyond the key's.
  const headers = ctx.get('access-control-request-headers');
  if (headers !== '') ctx.set('Access-Control-Allow-Headers', headers);
  return 'answered';
}

/** Reports whether the request is a browser's preflight. */
export function isPreflight(ctx: Context): boolean {
  return ctx.method === 'OPTIONS' && ctx.get('access-control-request-method') !== '';
}
