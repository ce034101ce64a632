import { ApiError } from './api-error.ts';

/** Refusals of what an app key is to be or to do (SPEC.md, App key, Errors). */

/** A graph that the app key was not minted for. */
export function appKeyGraphDenied(graphId: string): ApiError {
  return new ApiError(403, {
    error: 'app_key_graph_denied',
    message: `this app key may not use graph "${graphId}": it is not one of its graph_ids`,
  });
}

/** A browser on an origin that the app key does not list. */
export function originRefused(): ApiError {
  return new ApiError(403, { error: 'origin not in app key allowlist' });
}

/** Another tenant's key, a revoked one, or one that is no app key. */
export function appKeyNotFound(): ApiError {
  return new ApiError(404, { error: 'app key not found' });
}

/** Text that no browser sends as its origin. */
export function notAnOrigin(text: string): ApiError {
  const advice =
    text === '*'
      ? 'an empty list takes every origin'
      : 'write scheme://host or scheme://host:port as browsers send it: in lower case, without a path, without the port that the scheme has anyway';
  return new ApiError(400, {
    error: `invalid request body: allowed_origins: ${JSON.stringify(text)} is no origin: ${advice}`,
  });
}

/** A key that would be good for nothing. */
export function expiryInPast(): ApiError {
  return new ApiError(400, { error: 'invalid request body: expires_at: must be in the future' });
}
