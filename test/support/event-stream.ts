import assert from 'node:assert/strict';
import { ownErrorText } from './error-envelope.ts';

/** A frame of a stream. */
export interface Frame {
  execution_id: string;
  frame_index: number;
  payload?: any; // oxlint-disable-line typescript/no-explicit-any -- tests look at what arrives
  is_final: boolean;
  success?: boolean;
  error?: string;
  input_frames?: number;
}

/** An open event stream, read as it arrives. */
export interface EventStream {
  status: number;
  headers: Headers;
  /** Returns the next frame with the preceding comments; undefined at the end of the stream. */
  next(): Promise<Frame | undefined>;
  /** Returns all remaining frames. */
  rest(): Promise<Frame[]>;
  /** Comments so far. */
  comments: string[];
  /** Ids of the events so far; empty for a stream whose events have none. */
  ids: string[];
  leave(): void;
}

/** Opens an event stream. Refusals are returned as text without the common fields of errors. */
export async function openEvents(url: string, init: RequestInit): Promise<EventStream & { text: string }> {
  const caller = new AbortController();
  const response = await fetch(url, { ...init, signal: caller.signal });
  const isStream = response.headers.get('content-type') === 'text/event-stream';
  const comments: string[] = [];
  const ids: string[] = [];
  const frames = isStream ? framesOf(response, { comments, ids }) : undefined;
  const next = async (): Promise<Frame | undefined> => (await frames?.next())?.value ?? undefined;
  return {
    status: response.status,
    headers: response.headers,
    text: isStream ? '' : ownTextOf(response, await response.text()),
    comments,
    ids,
    next,
    rest: async () => {
      const all: Frame[] = [];
      for (let frame = await next(); frame; frame = await next()) all.push(frame);
      return all;
    },
    leave: () => caller.abort(),
  };
}

function ownTextOf({ status, headers }: Response, text: string): string {
  return status >= 400 ? ownErrorText(headers, text) : text;
}

async function* framesOf(
  response: Response,
  { comments, ids }: Pick<EventStream, 'comments' | 'ids'>,
): AsyncGenerator<Frame, void, undefined> {
  let rest = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    const blocks = (rest + decoder.decode(chunk as Uint8Array, { stream: true })).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      if (block.startsWith(':')) comments.push(block);
      else {
        // Each event is one line of data, preceded by its id.
        const [, id, data] = /^(?:id: (\d+)\n)?data: ([^\n]*)$/.exec(block) ?? [];
        assert.ok(data !== undefined, block);
        if (id !== undefined) ids.push(id);
        yield JSON.parse(data) as Frame;
      }
    }
  }
  assert.equal(rest, '');
}
