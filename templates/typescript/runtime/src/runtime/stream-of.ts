import { callOf } from "./call-of.ts";
import { checkUnread } from "./check-unread.ts";
import { type AsyncClosing, closable } from "./closable.ts";
import type { FrameStream } from "./frame-stream.ts";
import type { RawResponse } from "./response.ts";

/**
 * Returns a stream of messages, for fake clients. It fails when their iterator
 * throws. `response` overrides properties of a response with status 200.
 */
export function streamOf<Given>(
  messages: Iterable<Given> | AsyncIterable<Given>,
  response: Partial<RawResponse> = {},
): FrameStream<Given> {
  let isOver = false;
  const end = (): void => {
    isOver = true;
  };
  const given = iterate(messages, end);
  const stream: Omit<FrameStream<Given>, keyof AsyncClosing> = {
    executionId: response.executionId,
    lastEventId: undefined,
    async response() {
      const head = callOf(undefined, response);
      return (await head.withResponse()).response;
    },
    next: () => given.next(),
    return() {
      end();
      return given.return(undefined);
    },
    async close() {
      await this.return();
    },
    [Symbol.asyncIterator]() {
      checkUnread(isOver);
      return this;
    },
  };
  return closable(stream);
}

async function* iterate<Given>(
  messages: Iterable<Given> | AsyncIterable<Given>,
  end: () => void,
): AsyncGenerator<Given, undefined, undefined> {
  try {
    for await (const message of messages) yield message;
  } finally {
    end();
  }
}
