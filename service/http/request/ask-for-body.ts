import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Asks for the body of a request with `Expect: 100-continue`, whose client waits with it. Called when the body is first read, so that a
 * request which is refused before is never asked for it.
 */
export function askForBody(
  { httpVersion, headers }: IncomingMessage,
  response: Pick<ServerResponse, 'headersSent' | 'writeContinue'>,
): void {
  // HTTP/1.0 has no interim responses.
  const waits = httpVersion === '1.1' && /(?:^|\W)100-continue(?:$|\W)/i.test(headers.expect ?? '');
  if (waits && !response.headersSent) response.writeContinue();
}
