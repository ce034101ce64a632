import type { Step } from "./scripted-server.ts";

/** Execution id in scripted frames. */
export const streamId = "00000000000000000000000000decade";

/** A response with an event stream. */
export function eventStream(body: string): Step {
  return { headers: { "content-type": "text/event-stream" }, body };
}

/** The event of a frame. */
export function frame(index: number, fields: object): string {
  const json = { execution_id: streamId, frame_index: index, ...fields };
  return `data: ${JSON.stringify(json)}\n\n`;
}

/**
 * A stream of one message, given as JSON text, and its last frame. `inputs` is
 * the number of messages of a streamed input.
 */
export function streamed(output: string, inputs?: number): Step {
  const payload = JSON.parse(output) as unknown;
  const last = { is_final: true, success: true, input_frames: inputs };
  return eventStream(frame(0, { payload, is_final: false }) + frame(1, last));
}
