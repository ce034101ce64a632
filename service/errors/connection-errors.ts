import { maxHeaderSize } from 'node:http';
import { limits } from '../../specs/limits.ts';
import { ApiError } from './api-error.ts';

/** Callers with a key hold all allowed connections. */
export function tooManyConnections(): ApiError {
  return new ApiError(
    503,
    'too_many_connections',
    { error: 'too many connections: close some, or ask the operator to raise the limit' },
    { 'Retry-After': String(limits.retryAfterUnavailableSeconds) },
  );
}

/** The body of a request arrives too slowly, or has stopped arriving. */
export function bodyStalled({ bytes, windowMs }: { bytes: number; windowMs: number }): ApiError {
  return new ApiError(408, 'body_stalled', {
    error: `the request body stalled: send at least ${bytes} bytes in ${windowMs / 1_000} seconds`,
  });
}

/** The head of a request has not arrived in time. */
export function headLate(headMs: number): ApiError {
  const seconds = headMs / 1_000;
  return new ApiError(408, 'head_late', {
    error: `the head of the request was not complete within ${seconds} seconds`,
  });
}

/** The request line and headers together exceed the limit of Node's HTTP parser. */
export function headTooLarge(): ApiError {
  return new ApiError(431, 'head_too_large', {
    error: `the head of the request exceeds the limit of ${maxHeaderSize} bytes: send fewer or shorter headers`,
  });
}

/** @param reason of the HTTP parser */
export function notHttp(reason: string): ApiError {
  return new ApiError(400, 'not_http', { error: `the request is not valid HTTP: ${reason}` });
}
