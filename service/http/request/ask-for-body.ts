import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Sends `100 Continue` to a client that waits for it before it sends the body. Called when the body is first read, so that a request
 * that is refused earlier gets no `100 Continue`.
 */
export function askForBody(
  { httpVersion, headers }: IncomingMessage,
  response: Pick<ServerResponse, 'headersSent' | 'writeContinue'>,
): void {
  // HTTP/1.0 has no interim responses.
  const waits = httpVersion === '1.1' && /(?:^|\W)100-continue(?:$|\W)/i.test(headers.expect ?? '');
  if (waits && !response.headersSent) response.writeContinue();
}
