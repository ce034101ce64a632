import { getOwn } from "./codec/json.ts";
import type { ErrorDetails, SvcError } from "./errors.ts";
import { invalidResponse } from "./invalid-response.ts";
import { idsOf, type RawResponse } from "./response.ts";
import { exactObjectOf, textOf } from "./response-object.ts";
import { StreamInterruptedError } from "./stream-interrupted-error.ts";

/** A frame of a stream. */
export interface Frame {
  readonly executionId: string | undefined;
  readonly isFinal: boolean;
  /** Undefined for the last frame of most streams. */
  readonly payload: unknown;
  /** JSON of the frame in a response. */
  readonly response: RawResponse;
  readonly fields: object;
}

/** Parses a frame. Throws an `InvalidResponseError`. */
export function readFrame(data: string, { ...response }: RawResponse): Frame {
  Object.assign(response, { body: data });
  const fields = exactObjectOf(response);
  return {
    executionId: textOf(fields, "execution_id"),
    isFinal: getOwn(fields, "is_final") === true,
    payload: getOwn(fields, "payload"),
    response,
    fields,
  };
}

/** Decodes the message of a frame. Throws an `InvalidResponseError`. */
export function messageOf<Given>(
  read: (payload: unknown, response: RawResponse) => Given,
  { payload, response, fields }: Frame,
): Given {
  if (payload !== undefined) return read(payload, response);
  const index = String(getOwn(fields, "frame_index"));
  throw invalidResponse(response, `frame ${index} has no payload`);
}

/**
 * Checks how a stream ended. `sent` is the number of messages of a streamed
 * input. Throws a `Failure`, or a `StreamInterruptedError` if the service
 * received a different number of messages.
 */
export function checkEnd(
  { fields, response, executionId }: Frame,
  Failure: new (message: string, details: ErrorDetails) => SvcError,
  sent: number | undefined,
): void {
  const body = JSON.parse(response.body) as unknown;
  const details = { ...response, body, executionId };
  const ids = idsOf(details).slice(2);
  const run = ids && ` (${ids})`;
  if (getOwn(fields, "success") !== true)
    throw new Failure(
      `${textOf(fields, "error") ?? "no error message"}${run}`,
      details,
    );
  const received = getOwn(fields, "input_frames");
  if (sent !== undefined && received !== sent)
    throw new StreamInterruptedError(
      `the service received ${String(received)} of ${String(sent)} input messages${run}`,
      details,
    );
}
