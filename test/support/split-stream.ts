import assert from 'node:assert/strict';
import { type EventStream, openEvents } from './event-stream.ts';
import { type Answer, type Caller, request } from './running-service.ts';
import type { Upload } from './upload.ts';

/** The response to an upload, accepted or refused. */
interface Uploaded extends Answer {
  body: {
    stream_id: string;
    execution_id: string;
    input_frames: number;
    error_message: string;
    max_bytes: number;
  };
}

/** A split stream from the view of its clients. */
export interface SplitStream {
  id: string;
  inputUrl: string;
  outputUrl: string;
  /** Uploads NDJSON. */
  upload(body: string | Upload, signal?: AbortSignal): Promise<Uploaded>;
  /** Opens the output, by default from the beginning. */
  read(lastEventId?: string): Promise<EventStream & { text: string }>;
}

/**
 * Creates a split stream.
 *
 * @param url of the service
 */
export async function createSplit(
  url: string,
  caller: Pick<Caller, 'key'>,
  nodeRef: string,
): Promise<SplitStream> {
  const answer = await request(`${url}/invocations/v1/nodes/streams`, {
    method: 'POST',
    headers: { authorization: `Bearer ${caller.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ node_ref: nodeRef }),
  });
  const body = answer.body as { stream_id: string };
  assert.equal(answer.status, 201, JSON.stringify(body));
  return splitAt(url, caller, body.stream_id);
}

/** Returns an existing split stream on the process at `url`. */
export function splitAt(url: string, { key }: Pick<Caller, 'key'>, id: string): SplitStream {
  const inputUrl = `${url}/invocations/v1/nodes/streams/${id}/input`;
  const outputUrl = `${url}/invocations/v1/nodes/streams/${id}/output`;
  const authorization = `Bearer ${key}`;
  return {
    id,
    inputUrl,
    outputUrl,
    upload: (body, signal) =>
      request(inputUrl, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/x-ndjson' },
        body: typeof body === 'string' ? body : body.body,
        duplex: 'half',
        signal: signal ?? null,
      }),
    read: (lastEventId) =>
      openEvents(outputUrl, {
        headers: { authorization, ...(lastEventId !== undefined && { 'last-event-id': lastEventId }) },
      }),
  };
}
