import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';

const header = 'X-Request-Id';

/**
 * Returns the id of a request, under which the log has its failure. The first call makes the id and puts it into the header
 * `X-Request-Id` of the response. Ids of clients and proxies are not taken over, because they may repeat.
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
