import type { ApiError } from '../../errors/api-error.ts';
import { refusalBody } from '../../errors/refusal-body.ts';
import type { AnyAnswer } from './answer.ts';

/** Renders a refusal. `connections/close-with.ts` writes those for which there is no response to write to. */
export function refusalAnswer(
  refusal: ApiError,
  requestId: string,
): Exclude<AnyAnswer, { kind: 'events' | 'lines' | 'socket' }> {
  const { status, headers, body } = refusal;
  return typeof body === 'string'
    ? { status, kind: 'bytes', body, contentType: 'text/plain; charset=utf-8', headers }
    : { status, body: refusalBody(refusal, requestId), headers };
}
