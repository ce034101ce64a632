import type { ApiError } from '../../errors/api-error.ts';
import type { AnyAnswer } from './answer.ts';

/** Renders a refusal. Every refusal of the service passes through here. */
export function refusalAnswer({
  status,
  headers,
  body,
}: ApiError): Exclude<AnyAnswer, { kind: 'events' | 'lines' | 'socket' }> {
  return typeof body === 'string'
    ? { status, kind: 'bytes', body, contentType: 'text/plain; charset=utf-8', headers }
    : { status, body, headers };
}
