import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';

const header = 'X-Request-Id';

/**
 * Returns the id of a request, under which the log has its failure. The first call creates the id and sets the response header
 * `X-Request-Id`. Ids from clients and proxies are not used, because they may repeat.
 */
export function requestIdOf(response: ServerResponse): string {
  const known = response.getHeader(header);
  if (typeof known === 'string') return known;
  const requestId = newRequestId();
  response.setHeader(header, requestId);
  return requestId;
}

/** Makes an id for a request that has no response yet. */
export function newRequestId(): string {
  return randomUUID();
}
