import { type Answer, idsOf } from "./answer.ts";
import { exactObjectOf, textOf } from "./answer-object.ts";
import { getOwn } from "./codec/json.ts";
import type { ErrorDetails, SvcError } from "./errors.ts";
import { invalidAnswer } from "./invalid-answer.ts";
import { StreamInterruptedError } from "./stream-interrupted-error.ts";

/** A frame of a stream. */
export interface Frame {
  readonly executionId: string | undefined;
  readonly isFinal: boolean;
  /** Undefined for the last frame of most streams. */
  readonly payload: unknown;
  /** JSON of the frame in a response. */
  readonly answer: Answer;
  readonly fields: object;
}

/** Parses a frame. Throws an `InvalidAnswerError`. */
export function readFrame(data: string, { ...answer }: Answer): Frame {
  Object.assign(answer, { body: data });
  const fields = exactObjectOf(answer);
  return {
    executionId: textOf(fields, "execution_id"),
    isFinal: getOwn(fields, "is_final") === true,
    payload: getOwn(fields, "payload"),
    answer,
    fields,
  };
}

/** Decodes the message of a frame. Throws an `InvalidAnswerError`. */
export function messageOf<Given>(
  read: (payload: unknown, answer: Answer) => Given,
  { payload, answer, fields }: Frame,
): Given {
  if (payload !== undefined) return read(payload, answer);
  const index = String(getOwn(fields, "frame_index"));
  throw invalidAnswer(answer, `frame ${index} has no payload`);
}

/**
 * Checks how a stream ended. `sent` is the number of messages of a streamed
 * input. Throws a `Failure`, or a `StreamInterruptedError` if the service
 * received another number of messages.
 */
export function checkEnd(
  { fields, answer, executionId }: Frame,
  Failure: new (message: string, details: ErrorDetails) => SvcError,
  sent: number | undefined,
): void {
  const body = JSON.parse(answer.body) as unknown;
  const details = { ...answer, body, executionId };
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
