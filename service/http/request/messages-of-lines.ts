import type { SentMessage } from '../../nodes/call/message-form.ts';

/** The lines of a body, one message each. */
export async function* messagesOf(
  lines: AsyncIterable<string>,
): AsyncGenerator<SentMessage<'json'>, void, undefined> {
  for await (const text of lines) yield { form: 'json', text };
}
