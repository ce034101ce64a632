import type { Context } from 'koa';
import type { Logger } from 'pino';
import { requestIdOf } from './request-id.ts';

/** Codes of a connection that its client has closed or reset. */
const leftCodes = ['ECONNRESET', 'EPIPE', 'HPE_INVALID_EOF_STATE'];

/** Logs why a response was not completed. A client that leaves is not a failure of the service, and is logged without a stack. */
export function logBrokenAnswer(logger: Logger, error: NodeJS.ErrnoException, { req, res }: Context): void {
  if (!leftCodes.includes(error.code ?? '')) {
    logger.warn({ err: error }, 'an answer failed');
    return;
  }
  const left = req.complete ? 'a client closed its connection' : 'a client closed its upload';
  logger.info({ requestId: requestIdOf(res) }, left);
}
