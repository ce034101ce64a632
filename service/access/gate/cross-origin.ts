import type { Operation } from '../../../specs/operations/operation.ts';

/** Response headers that let scripts in browsers read the response. */
export type CrossOriginHeaders = Readonly<Record<string, string>>;

/** App keys work on the paths below this one. No other path allows the origins of app keys. */
const appKeyPaths = '/invocations/';

/** Reports whether responses on a path depend on the caller's origin. */
export function isCrossOriginPath(path: string): boolean {
  return path.startsWith(appKeyPaths);
}

/** Headers of every response below `/invocations/`: caches must store the responses for different origins separately. */
export const variesByOrigin: CrossOriginHeaders = { Vary: 'Origin' };

/** Lets scripts from one origin read the response. */
export function readableBy(origin: string): CrossOriginHeaders {
  return {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Expose-Headers':
      'Retry-After, X-Execution-Id, X-Request-Id, Idempotency-Replayed, Idempotency-Mismatch',
  };
}

/**
 * Lets scripts from any origin read a public document. A response to a request with a key gets no such header, because it may be
 * private.
 */
export function readableByAll(
  { anyOrigin }: Pick<Operation, 'anyOrigin'>,
  authorization: string | undefined,
): CrossOriginHeaders {
  if (anyOrigin !== true || authorization !== undefined) return {};
  return {
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers': 'ETag, Retry-After, X-Request-Id',
  };
}
