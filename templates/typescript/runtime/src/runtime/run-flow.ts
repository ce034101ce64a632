import type { Answer, CallResult } from "./answer.ts";
import { exactObjectOf, textOf } from "./answer-object.ts";
import { Call } from "./call.ts";
import { getOwn, isObject } from "./codec/json.ts";
import type { Input } from "./codec/values.ts";
import type { Connection } from "./connection.ts";
import { Deadline } from "./deadline.ts";
import { ConnectionError, FlowFailedError } from "./errors.ts";
import { readOutput } from "./flow-output.ts";
import {
  executionIdOf,
  facts,
  type Flow,
  opening,
  path,
} from "./flow-request.ts";
import type { CallOptions } from "./options.ts";

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
  const endsAt = performance.now() + connection.timeoutMs(options);
  const head = opening(flow, input);
  const body = (remainingMs: number): string =>
    `${head}${waiting(remainingMs)}}`;
  const answer = await connection.send(path, body, options, facts);
  const result = connection.read(answer, () => ended(flow, answer));
  if (result) return result;
  const deadline = new Deadline(endsAt - performance.now(), options.signal);
  try {
    const { finishRun } = await deadline
      .guard(loadFinishRun())
      .catch((error: unknown) =>
        connection.read(answer, () => {
          throw error;
        }),
      );
    return await finishRun(connection, flow, answer, {
      ...options,
      timeoutMs: deadline.remainingMs,
    });
  } finally {
    deadline.dispose();
  }
}

/** Loads the rest of the package on demand, since most runs end in time. */
function loadFinishRun(): Promise<typeof import("./finish-run.ts")> {
  return import("./finish-run.ts").catch((cause: unknown) => {
    throw new ConnectionError(
      `cannot load the module that waits for runs: ${String(cause)}`,
      { cause },
    );
  });
}

/** Returns the output of the run, or undefined if it has not ended. */
function ended<Taken, Given>(
  flow: Flow<Taken, Given>,
  answer: Answer,
): CallResult<Given> | undefined {
  const fields = exactObjectOf(answer);
  const executionId = executionIdOf(fields, answer);
  const result = getOwn(fields, "result");
  if (!isObject(result)) return undefined;
  if (getOwn(result, "success") === true) {
    const value = readOutput(flow.output, getOwn(result, "output"), answer);
    return { value, answer };
  }
  const said = textOf(result, "error_message") ?? "no error message";
  throw new FlowFailedError(`${said} (execution ${executionId})`, {
    ...answer,
    body: JSON.parse(answer.body) as unknown,
  });
}

/**
 * Asks the service to wait, for whole seconds, and reserves one for the response
 * to arrive. If less than two are left, the service names the run at once.
 */
function waiting(remainingMs: number): string {
  /** This is below the idle timeout of common proxies. Then the client polls. */
  const longestWaitSeconds = 50;
  const seconds = Math.min(
    longestWaitSeconds,
    Math.floor(remainingMs / 1_000) - 1,
  );
  return seconds < 1 ? "" : `,"wait":true,"timeout_seconds":${seconds}`;
}
