import type { Family } from '../../specs/operations/operation.ts';
import { upgradeRequiredText } from '../../specs/operations/upgrade-text.ts';
import { ApiError } from './api-error.ts';
import { bodyInFamily } from './body-in-family.ts';
import { invalidParameter } from './request-errors.ts';

/** The operation is a WebSocket, and the request does not ask for one of version 13. */
export function upgradeRequired(family: Family, path: string): ApiError {
  const text = upgradeRequiredText(path);
  const body = bodyInFamily(family, text, { error: 'upgrade_required', message: text });
  const headers = { Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Version': '13' };
  return new ApiError(426, 'upgrade_required', body, headers);
}

/** A header of the handshake is missing or malformed. */
export function malformedHandshake(family: Family, header: string, advice: string): ApiError {
  return invalidParameter(family, `the WebSocket handshake is malformed: ${header} ${advice}`);
}
