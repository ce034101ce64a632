import type { Answer } from "./answer.ts";
import { callOf } from "./call-of.ts";
import { type AsyncClosing, closable } from "./closable.ts";
import type { FrameStream } from "./frame-stream.ts";

/**
 * Returns a stream of messages, for fakes of a client. It fails when their
 * iterator throws. `answer` is what its response has besides the status 200.
 */
export function streamOf<Given>(
  messages: Iterable<Given> | AsyncIterable<Given>,
  answer: Partial<Answer> = {},
): FrameStream<Given> {
  const given = iterate(messages);
  const stream: Omit<FrameStream<Given>, keyof AsyncClosing> = {
    executionId: answer.executionId,
    lastEventId: undefined,
    async answer() {
      const head = callOf(undefined, answer);
      return (await head.withAnswer()).answer;
    },
    next: () => given.next(),
    return: () => given.return(undefined),
    async close() {
      await given.return(undefined);
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
  return closable(stream);
}

async function* iterate<Given>(
  messages: Iterable<Given> | AsyncIterable<Given>,
): AsyncGenerator<Given, undefined, undefined> {
  for await (const message of messages) yield message;
}
