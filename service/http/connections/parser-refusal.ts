import { headLate, headTooLarge, notHttp } from '../../errors/connection-errors.ts';
import type { ApiError } from '../../errors/api-error.ts';

/**
 * Returns the refusal of data that Node's parser rejects or that has not arrived in time. Returns `undefined` for a connection
 * error, and for a client that leaves before the end of its request.
 */
export function parserRefusal(
  error: NodeJS.ErrnoException & { reason?: unknown },
  headMs: number,
): ApiError | undefined {
  const { code = '', reason } = error;
  if (isHeadLate(error)) return headLate(headMs);
  if (code === 'HPE_INVALID_EOF_STATE') return undefined;
  if (code === 'HPE_HEADER_OVERFLOW') return headTooLarge();
  // The message of the error may quote the request; the reason is one of the parser's own texts.
  return code.startsWith('HPE_') ? notHttp(typeof reason === 'string' ? reason : code) : undefined;
}

/** Reports whether the head of a request was not complete in time. */
export function isHeadLate({ code }: NodeJS.ErrnoException): boolean {
  return code === 'ERR_HTTP_REQUEST_TIMEOUT';
}
