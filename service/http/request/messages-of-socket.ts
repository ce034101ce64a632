import { limits } from '../../../specs/limits.ts';
import { bodyTooLarge, invalidBody, streamTooLarge } from '../../errors/request-errors.ts';
import type { SentMessage } from '../../nodes/call/message-form.ts';
import { streamTurns } from '../../work/turn-budget.ts';
import { messageBounds, scanJson } from './read-json.ts';

/** Blank messages of one session. */
const maxBlank = 1_000;

/**
 * The messages of a WebSocket, one input message each; blank ones are skipped. The same rules apply as for NDJSON lines.
 *
 * @throws ApiError 413 for a message over a limit, 400 for JSON out of bounds and for too many blank messages
 */
export async function* messagesOfSocket(
  texts: AsyncIterable<string>,
): AsyncGenerator<SentMessage<'json'>, void, undefined> {
  const { bytes: maxBytes, frameBytes } = limits.streamInput;
  let total = 0;
  let blank = 0;
  for await (const text of texts) {
    await streamTurns.yieldIfSpent();
    const bytes = Buffer.from(text);
    if (bytes.length > frameBytes) throw bodyTooLarge('node', frameBytes);
    total += bytes.length;
    if (total > maxBytes) throw streamTooLarge(maxBytes);
    scanJson(bytes, { family: 'node', bounds: messageBounds });
    if (!/^[ \t\r\n]*$/.test(text)) yield { form: 'json', text };
    else if ((blank += 1) > maxBlank) throw invalidBody('node', `more than ${maxBlank} messages are blank`);
  }
}
