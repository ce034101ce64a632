import { ApiError } from './api-error.ts';

/** The app key is not allowed to use the graph. */
export function appKeyGraphDenied(graphId: string): ApiError {
  return new ApiError(403, 'app_key_graph_denied', {
    error: 'app_key_graph_denied',
    message: `graph "${graphId}" is not one of the graph_ids of this app key`,
  });
}

/** The origin of the browser is not on the allowlist of the app key. */
export function originRefused(): ApiError {
  return new ApiError(403, 'origin_refused', { error: 'origin not in app key allowlist' });
}

/** The key belongs to another tenant, is revoked, or is a full key. */
export function appKeyNotFound(): ApiError {
  return new ApiError(404, 'app_key_not_found', { error: 'app key not found' });
}

/** A graph for an app key is unknown or belongs to another tenant. */
export function keyGraphNotFound(graphId: string): ApiError {
  return new ApiError(404, 'graph_not_found', {
    error: `graph "${graphId}" not found: give the graph_id of a compiled flow`,
  });
}

/** The text is not an origin as browsers send it. */
export function notAnOrigin(text: string): ApiError {
  const advice =
    text === '*'
      ? 'an empty list allows every origin'
      : 'use scheme://host or scheme://host:port, in lower case, without a path and without the default port';
  return new ApiError(400, 'invalid_body', {
    error: `invalid request body: allowed_origins: ${JSON.stringify(text)} is not an origin: ${advice}`,
  });
}

/** The expiry is in the past. */
export function expiryInPast(): ApiError {
  return new ApiError(400, 'invalid_body', {
    error: 'invalid request body: expires_at: must be in the future',
  });
}
