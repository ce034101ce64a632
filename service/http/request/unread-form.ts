import type { IncomingMessage } from 'node:http';
import type { Family } from '../../../specs/operations/operation.ts';
import { invalidBody } from '../../errors/request-errors.ts';
import { readBody } from './read-body.ts';

/** The fields of an HTML form that its handler reads after all checks that need no body. */
export interface UnreadForm {
  /**
   * Reads the body, once.
   *
   * @throws ApiError 413 for a body over its size, 400 for one that is not UTF-8 or has a field twice
   */
  readForm(): Promise<Record<string, string>>;
}

export function unreadForm(
  request: IncomingMessage,
  options: { maxBytes: number; family: Family },
): UnreadForm {
  return {
    readForm: async () => {
      const text = utf8Of(await readBody(request, options));
      if (text === undefined) throw invalidBody(options.family, 'it is not valid UTF-8');
      const fields = [...new URLSearchParams(text)];
      const names = new Set<string>();
      for (const [name] of fields) {
        if (names.has(name)) {
          throw invalidBody(options.family, `the field ${JSON.stringify(name)} occurs twice`);
        }
        names.add(name);
      }
      return Object.fromEntries(fields);
    },
  };
}

/** Returns the text of a form, or undefined if it or its percent-encoded bytes are not UTF-8. */
function utf8Of(body: Buffer): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body);
    // A percent sign that encodes nothing stands for itself.
    const whole = text.replaceAll(/%(?![\da-f]{2})/gi, '%25');
    decodeURIComponent(whole);
    return whole;
  } catch {
    return undefined;
  }
}
