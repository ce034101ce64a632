import type { Input } from "./codec/values.ts";
import type { Connection } from "./connection.ts";
import { FlowFailedError } from "./execution.ts";
import { type Flow, opening } from "./flow-request.ts";
import { readerOf } from "./flow-output.ts";
import { type FrameStream, frameStream } from "./frame-stream.ts";
import type { CallOptions } from "./options.ts";

/** Maximum timeout of a flow, in seconds. */
const longestRunSeconds = 86_400;

/** Runs a pipeline flow and streams its output. */
export function streamFlow<Taken, Given>(
  connection: Connection,
  flow: Flow<Taken, Given>,
  input: Input<Taken>,
  options?: CallOptions,
): FrameStream<Given> {
  const request = {
    path: "/invocations/v1/flows/invoke/stream",
    body: () => {
      const head = opening(flow, input);
      return (_waitMs: number, remainingMs: number) =>
        `${head},"timeout_seconds":${String(runSeconds(remainingMs))}}`;
    },
    read: readerOf(flow.output),
    Failure: FlowFailedError,
  };
  return frameStream(connection, request, options);
}

/** Not earlier than the timeout of the stream, which then raises the error. */
function runSeconds(remainingMs: number): number {
  const seconds = Math.ceil(remainingMs / 1_000);
  return Math.min(longestRunSeconds, Math.max(1, seconds));
}
