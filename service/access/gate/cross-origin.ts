import type { Operation } from '../../../specs/operations/operation.ts';

/** Response headers that let browsers read an answer. */
export type CrossOriginHeaders = Readonly<Record<string, string>>;

/** App keys are for the paths below this one. No other path is open to the origins of app keys. */
const appKeyPaths = '/invocations/';

/** Reports whether the answers of a path depend on the origin of the caller. */
export function isCrossOriginPath(path: string): boolean {
  return path.startsWith(appKeyPaths);
}

/** Headers of every answer below `/invocations/`: caches must keep the answers for different origins apart. */
export const variesByOrigin: CrossOriginHeaders = { Vary: 'Origin' };

/** Lets scripts of one origin read the answer. */
export function readableBy(origin: string): CrossOriginHeaders {
  return {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Expose-Headers': 'Retry-After, X-Execution-Id, X-Request-Id',
  };
}

/**
 * Lets scripts of every origin read the answer of a public document. A request with a key gets no such header, because its answer
 * may be private.
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
