import { Call } from "./call.ts";
import { byCodec } from "./codec/from-json.ts";
import { getOwn, type ParsedJson } from "./codec/json.ts";
import type { Input } from "./codec/values.ts";
import type { Connection } from "./connection.ts";
import { Deadline } from "./deadline.ts";
import { SvcError } from "./errors.ts";
import { isExecutionId } from "./execution-id.ts";
import {
  facts,
  type Flow,
  mismatchHeader,
  opening,
  path,
} from "./flow-request.ts";
import type { CallOptions } from "./options.ts";
import type { RequestBody } from "./outgoing.ts";
import type { CallResult, RawResponse } from "./response.ts";

/** Runs a flow and waits for its output. */
export function runFlow<Taken, Given>(
  connection: Connection,
  flow: Flow<Taken, Given>,
  input: Input<Taken>,
  options: CallOptions = {},
): Call<Given> {
  return new Call(run(connection, flow, input, options));
}

async function run<Taken, Given>(
  connection: Connection,
  flow: Flow<Taken, Given>,
  input: Input<Taken>,
  options: CallOptions,
): Promise<CallResult<Given>> {
  const head = opening(flow, input);
  const body: RequestBody = (waitMs, remainingMs) =>
    `${head}${waiting(Math.min(waitMs, remainingMs))}}`;
  const deadline = new Deadline(connection.timeoutMs(options), options.signal);
  try {
    const response = await connection.send(path, body, options, facts);
    const result = completed(flow, response);
    if (result) return result;
    // Loaded on demand, because most runs complete in time. Not a
    // `ConnectionError`, because a retry would run the flow again.
    const { finishRun } = await deadline
      .guard(import("./finish-run.ts"))
      .catch((cause: unknown) =>
        connection.read(response, () => {
          if (cause instanceof SvcError) throw cause;
          throw new SvcError(`cannot read the run: ${String(cause)}`, {
            cause,
          });
        }),
      );
    return await finishRun(connection, flow, response, {
      ...options,
      timeoutMs: deadline.remainingMs,
    });
  } finally {
    deadline.dispose();
  }
}

/**
 * Returns the output of the run, or undefined if it has not completed or the
 * response needs a closer look. `finishRun` then reads it again, waits, or
 * throws the error.
 */
function completed<Taken, Given>(
  { output: type }: Flow<Taken, Given>,
  response: RawResponse,
): CallResult<Given> | undefined {
  const { body, headers } = response;
  try {
    const fields = JSON.parse(body) as ParsedJson;
    const result = getOwn(fields, "result");
    const output = getOwn(result, "output") as ParsedJson | undefined;
    if (
      // Duplicate names, and numbers that JSON.parse may round, need the exact
      // reader of `finishRun`.
      JSON.stringify(fields) !== body ||
      /[:[,]-?\d{16}/.test(body) ||
      getOwn(result, "success") !== true ||
      output === undefined ||
      !isExecutionId(getOwn(fields, "execution_id")) ||
      headers[mismatchHeader]
    )
      return undefined;
    const value = byCodec(type, (codec) => codec.read(output)) as Given;
    return { value, response };
  } catch {
    return undefined;
  }
}

/**
 * Asks the service to wait for a number of whole seconds, and reserves one for
 * the response to arrive. With less than two seconds left, the service returns
 * the run immediately.
 */
function waiting(waitMs: number): string {
  /** Below the idle timeout of common proxies. The client polls after that. */
  const longestWaitSeconds = 50;
  const seconds = Math.min(longestWaitSeconds, Math.floor(waitMs / 1_000) - 1);
  return seconds < 1 ? "" : `,"wait":true,"timeout_seconds":${seconds}`;
}
