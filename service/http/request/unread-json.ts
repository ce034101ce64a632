import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Family } from '../../../specs/operations/operation.ts';
import type { MemoryShare } from '../held-memory.ts';
import type { JsonBounds } from './json-scan.ts';
import { type JsonText, messageBounds, readJson } from './read-json.ts';

/** A JSON body that its handler reads after all checks that need no body. */
export interface UnreadJson {
  /**
   * Reads the body, once.
   *
   * @throws ApiError 413 for a body over its size, 400 for one over a bound of JSON
   */
  read(options?: {
    /** Default: the bounds of a message. */
    bounds?: JsonBounds;
    /** Keys of the outermost object that are found without parsing it. With it, a key of that object must not occur twice. */
    members?: readonly string[];
    /** Called for each of these members as soon as it has arrived. Throws to refuse the body. */
    onMember?: (name: string, text: Buffer) => void;
  }): Promise<JsonText>;
}

/** Returns the unread body of a request. `memory` counts the bytes of a large one, and `family` gives refusals their form. */
export function unreadJson(
  request: IncomingMessage,
  response: ServerResponse,
  { maxBytes, family, memory }: { maxBytes: number; family: Family; memory: MemoryShare },
): UnreadJson {
  return {
    read: ({ bounds = messageBounds, members, onMember } = {}) =>
      readJson(request, response, {
        maxBytes,
        family,
        memory,
        bounds,
        members,
        ...(onMember && { onMember }),
      }),
  };
}
