import type { ApiError } from '../../errors/api-error.ts';
import { refusalBody } from '../../errors/refusal-body.ts';
import type { AnyAnswer } from './answer.ts';

/** Renders a refusal. Only those that end a connection are written elsewhere (`connections/close-with.ts`). */
export function refusalAnswer(
  refusal: ApiError,
  requestId: string,
): Exclude<AnyAnswer, { kind: 'events' | 'lines' | 'socket' }> {
  const { status, headers, body } = refusal;
  return typeof body === 'string'
    ? { status, kind: 'bytes', body, contentType: 'text/plain; charset=utf-8', headers }
    : { status, body: refusalBody(refusal, requestId), headers };
}
