import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Operation } from '../../../specs/operations/operation.ts';
import { malformedHandshake, upgradeRequired } from '../../errors/upgrade-errors.ts';

/** Carries the key of a client that cannot set headers, such as a browser: `svc-token.<key>`. */
const tokenPrefix = 'svc-token.';

/**
 * Reports whether a request asks for a WebSocket. A request with a body does not: the body would be read as the first messages.
 */
export function asksForSocket({ method, headers }: IncomingMessage): boolean {
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  return method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket' && !hasBody;
}

/** Returns the `Authorization` header of a WebSocket request, which may be written as a subprotocol. The header takes precedence. */
export function authorizationOf(headers: IncomingHttpHeaders): string | undefined {
  if (headers.authorization) return headers.authorization;
  const token = tokenProtocolOf(offeredProtocols(headers) ?? []);
  return token && `Bearer ${token.slice(tokenPrefix.length)}`;
}

/** Returns the subprotocol that carries a key. The response repeats it, because browsers otherwise abandon the socket. */
export function tokenProtocolOf(protocols: Iterable<string>): string | undefined {
  return [...protocols].find((protocol) => protocol.startsWith(tokenPrefix));
}

/**
 * Checks the headers of a WebSocket request that has passed the gate.
 *
 * @param asked whether the connection can be upgraded
 * @throws ApiError 426 for a request without an upgrade, 400 for a malformed header
 */
export function checkHandshake(
  { family }: Pick<Operation, 'family'>,
  { headers, path }: { headers: IncomingHttpHeaders; path: string },
  asked: boolean,
): void {
  if (!asked || headers['sec-websocket-version'] !== '13') throw upgradeRequired(family, path);
  if (!/^[+/0-9A-Za-z]{22}==$/.test(headers['sec-websocket-key'] ?? '')) {
    throw malformedHandshake(family, 'Sec-WebSocket-Key', 'must be 16 bytes in base64');
  }
  if (!offeredProtocols(headers)) {
    throw malformedHandshake(family, 'Sec-WebSocket-Protocol', 'must be a list of different tokens');
  }
}

/** Undefined for a malformed list. */
function offeredProtocols(headers: IncomingHttpHeaders): string[] | undefined {
  const header = headers['sec-websocket-protocol'];
  if (header === undefined) return [];
  const offered = header.split(',').map((protocol) => protocol.trim());
  const isList = offered.every((protocol) => /^[\w!#$%&'*+.^`|~-]+$/.test(protocol));
  return isList && new Set(offered).size === offered.length ? offered : undefined;
}
