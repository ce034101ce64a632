import type { IncomingMessage } from 'node:http';
import type { Family } from '../../../specs/operations/operation.ts';
import { readBody } from './read-body.ts';

/** The fields of an HTML form that its handler reads after all checks that need no body. */
export interface UnreadForm {
  /**
   * Reads the body, once. Of a repeated field the last value counts.
   *
   * @throws ApiError 413 for a body over its size
   */
  readForm(): Promise<Record<string, string>>;
}

export function unreadForm(
  request: IncomingMessage,
  options: { maxBytes: number; family: Family },
): UnreadForm {
  return {
    readForm: async () => {
      const body = await readBody(request, options);
      return Object.fromEntries(new URLSearchParams(body.toString()));
    },
  };
}
