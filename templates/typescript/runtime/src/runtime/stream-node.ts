import { toJson } from "./codec/to-json.ts";
import type { Input } from "./codec/values.ts";
import type { Connection } from "./connection.ts";
import { NodeFailedError } from "./errors.ts";
import type { UploadBody } from "./fetch.ts";
import { readerOf } from "./flow-output.ts";
import { type FrameStream, frameStream } from "./frame-stream.ts";
import { InputLines, type StreamedInput } from "./input-lines.ts";
import type { NodeOperation } from "./invoke-node.ts";
import type { CallOptions } from "./options.ts";

/** Calls a pipeline node with one message and streams its output. */
export function streamNode<Taken, Given>(
  connection: Connection,
  { path, input: type, output }: NodeOperation<Taken, Given>,
  input: Input<Taken>,
  options?: CallOptions,
): FrameStream<Given> {
  const body = (): string => toJson(type, input);
  const read = readerOf(output);
  const request = { path, body, read, Failure: NodeFailedError };
  return frameStream(connection, request, options);
}

/**
 * Calls a pipeline node with the messages of a source, which are sent as they
 * are read. The output begins after all messages have been sent.
 */
export function uploadToNode<Taken, Given>(
  connection: Connection,
  { path, input: type, output }: NodeOperation<Taken, Given>,
  inputs: StreamedInput<Taken>,
  options?: CallOptions,
): FrameStream<Given> {
  const input = new InputLines(type, inputs);
  const body = (): UploadBody => input.body();
  const read = readerOf(output);
  const request = { path, body, read, Failure: NodeFailedError, input };
  return frameStream(connection, request, options);
}
