import { limits } from '../../specs/limits.ts';
import { unsupportedEncodingText } from '../../specs/operations/encoding-text.ts';
import type { Family } from '../../specs/operations/operation.ts';
import { ApiError } from './api-error.ts';
import { bodyInFamily } from './body-in-family.ts';
import { unavailable } from './retry-later.ts';

/** Refusals of a request before its handler runs, in the envelope of the operation's family. */

/** The body is not JSON or does not match its declared shape. */
export function invalidBody(family: Family, detail: string): ApiError {
  const text = `invalid request body: ${detail}`;
  return new ApiError(
    400,
    'invalid_body',
    bodyInFamily(family, text, { accepted: false, error_message: text }),
  );
}

/** A path or query parameter does not match its declared shape. */
export function invalidParameter(family: Family, detail: string): ApiError {
  const invocation = { error: 'invalid_argument', message: detail };
  return new ApiError(400, 'invalid_argument', bodyInFamily(family, detail, invocation));
}

/**
 * The body exceeds the size limit. `actualBytes` is the size of the body. It is reported only if it is also
 * the size of the input.
 */
export function bodyTooLarge(family: Family, maxBytes: number, actualBytes?: number): ApiError {
  if (family === 'preview') return new ApiError(413, 'payload_too_large', 'request body too large');
  if (family === 'management' || family === 'system') {
    return new ApiError(413, 'payload_too_large', { error: 'request body too large' });
  }
  // A body may be larger than its input, because of base64 or other fields. Callers know only the limit of
  // the input.
  const limit = Math.min(maxBytes, limits.inputBytes);
  const isInput = maxBytes <= limits.inputBytes;
  return new ApiError(413, 'payload_too_large', {
    error: 'payload_too_large',
    message: `the input exceeds the limit of ${limit} bytes`,
    max_bytes: limit,
    actual_bytes: isInput ? actualBytes : undefined,
  });
}

/** All lines of a streamed body together exceed the limit. */
export function streamTooLarge(maxBytes: number, actualBytes?: number): ApiError {
  return new ApiError(413, 'payload_too_large', {
    error: 'payload_too_large',
    message: `the stream exceeds the limit of ${maxBytes} bytes`,
    max_bytes: maxBytes,
    actual_bytes: actualBytes,
  });
}

/** The body is compressed. */
export function unsupportedEncoding(family: Family, encoding: string): ApiError {
  const text = unsupportedEncodingText(encoding);
  const body = bodyInFamily(family, text, { error: 'unsupported_encoding', message: text });
  return new ApiError(415, 'unsupported_encoding', body, { 'Accept-Encoding': 'identity' });
}

/** The connection closed before the body was complete. The response is only logged. */
export function bodyCutOff(family: Family): ApiError {
  return invalidBody(family, 'the connection closed before the body was complete');
}

/** No operation has this path. */
export function noSuchRoute(method: string, path: string): ApiError {
  return new ApiError(404, 'route_not_found', { error: `no route ${method} ${path}` });
}

/** The path exists with other methods, which the header `Allow` lists. */
export function methodNotAllowed(method: string, path: string, allowed: readonly string[]): ApiError {
  return new ApiError(
    405,
    'method_not_allowed',
    { error: `${method} is not allowed on ${path}: use ${allowed.join(', ')}` },
    { Allow: allowed.join(', ') },
  );
}

/** An unexpected error. The log contains the cause under the request id; the response does not. */
export function unclassified(family: Family, requestId: string): ApiError {
  const text = `internal error (request ${requestId})`;
  return new ApiError(
    500,
    'internal_error',
    bodyInFamily(family, text, { accepted: false, error_message: text }),
  );
}

/** The process is shutting down. A retry reaches another replica, or this one after its restart. */
export function draining(): ApiError {
  return unavailable('upstream_unavailable', 'the service is shutting down', { Connection: 'close' });
}

/**
 * The database cannot be reached, or accepts no data. Thrown before the handler runs, it means that the
 * request had no effect.
 */
export function databaseUnavailable(): ApiError {
  return unavailable('upstream_unavailable', 'the database is unavailable');
}
