import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Family } from '../../../specs/operations/operation.ts';
import { formType } from '../../../specs/operations/declared-answer.ts';
import { invalidBody } from '../../errors/request-errors.ts';
import type { MemoryShare } from '../held-memory.ts';
import { readBody } from './read-body.ts';

/** The fields of an HTML form that its handler reads after all checks that need no body. */
export interface UnreadForm {
  /**
   * Reads the body, once.
   *
   * @throws ApiError 413 for a body over its size, 400 for one that is in another encoding, not UTF-8, or has a field twice
   */
  readForm(): Promise<Record<string, string>>;
}

/** Returns the unread body of a request. `memory` counts the bytes of a large one, and `family` gives refusals their form. */
export function unreadForm(
  request: IncomingMessage,
  response: ServerResponse,
  options: { maxBytes: number; family: Family; memory: MemoryShare },
): UnreadForm {
  return {
    readForm: async () => {
      const text = utf8Of(await readBody(request, response, options));
      if (text === undefined) throw invalidBody(options.family, 'it is not valid UTF-8');
      const fields = new Map<string, string>();
      for (const [name, value] of new URLSearchParams(text)) {
        if (fields.has(name)) {
          throw invalidBody(options.family, `the field ${JSON.stringify(name)} occurs twice`);
        }
        fields.set(name, value);
      }
      return Object.fromEntries(fields);
    },
  };
}

/** A form in an encoding that the service does not read. */
export function otherForm(type: string, family: Family): UnreadForm {
  return {
    readForm: () => Promise.reject(invalidBody(family, `send the form as ${formType}, not as ${type}`)),
  };
}

/**
 * Returns the text of a form, or undefined if it or the bytes that it percent-encodes are not UTF-8. A percent sign that encodes
 * nothing is literal and gets encoded: next to one, Node's `URLSearchParams` decodes other characters incorrectly.
 */
function utf8Of(body: Buffer): string | undefined {
  try {
    const sent = new TextDecoder('utf-8', { fatal: true }).decode(body);
    const text = sent.replaceAll(/%(?![\da-f]{2})/gi, '%25');
    decodeURIComponent(text);
    return text;
  } catch {
    return undefined;
  }
}
