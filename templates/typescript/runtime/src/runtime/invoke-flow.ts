import type { Answer, CallResult } from "./answer.ts";
import {
  exactObjectOf,
  objectOf,
  requiredText,
  textOf,
} from "./answer-object.ts";
import { Call } from "./call.ts";
import type { RootType } from "./codec/codec.ts";
import { getOwn, isObject } from "./codec/json.ts";
import { toJson } from "./codec/to-json.ts";
import type { Input } from "./codec/values.ts";
import type { Connection } from "./connection.ts";
import { FlowFailedError } from "./errors.ts";
import { Execution } from "./execution.ts";
import { readOutput } from "./flow-output.ts";
import { FlowPausedError } from "./flow-paused-error.ts";
import { invalidAnswer } from "./invalid-answer.ts";
import type { CallOptions } from "./options.ts";

/** Descriptor of a compiled flow. */
export interface Flow<Taken, Given> {
  readonly graphId: string;
  readonly input: RootType<Taken>;
  readonly output: RootType<Given>;
}

/**
 * Maximum seconds that a request waits for a run to end. This is below the idle
 * timeout of common proxies. Afterwards, the client polls.
 */
const longestWaitSeconds = 50;

/** Runs a flow and waits for its output. */
export function runFlow<Taken, Given>(
  connection: Connection,
  flow: Flow<Taken, Given>,
  input: Input<Taken>,
  options: CallOptions = {},
): Call<Given> {
  return new Call(run(connection, flow, input, options));
}

/** Starts a flow without waiting for it to end. */
export function startFlow<Taken, Given>(
  connection: Connection,
  flow: Flow<Taken, Given>,
  input: Input<Taken>,
  options: CallOptions = {},
): Call<Execution<Given>> {
  return new Call(start(connection, flow, input, options));
}

const path = "/invocations/v1/flows/invoke";

async function start<Taken, Given>(
  connection: Connection,
  flow: Flow<Taken, Given>,
  input: Input<Taken>,
  options: CallOptions,
): Promise<CallResult<Execution<Given>>> {
  const body = `${opening(flow, input)}}`;
  const answer = await connection.post(path, body, options);
  const value = executionOf(connection, flow, objectOf(answer), answer);
  return { value, answer };
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
    `${head},"wait":true,"timeout_seconds":${String(waitSeconds(remainingMs))}}`;
  const answer = await connection.post(path, body, options);
  const fields = exactObjectOf(answer);
  const execution = executionOf(connection, flow, fields, answer);
  const result = getOwn(fields, "result");
  if (isObject(result)) {
    if (getOwn(result, "success") !== true)
      throw failure(result, execution, answer);
    const output = getOwn(result, "output");
    return { value: readOutput(flow.output, output, answer), answer };
  }
  if (textOf(fields, "execution_status") === "PAUSED")
    throw new FlowPausedError(
      `execution ${execution.id} is paused`,
      execution,
      textOf(fields, "pause_id"),
      {
        status: answer.status,
        headers: answer.headers,
        body: objectOf(answer),
      },
    );
  const timeoutMs = Math.max(1, endsAt - performance.now());
  return execution.wait({ ...options, timeoutMs }).withAnswer();
}

/** Encodes the request up to the fields that control waiting. */
function opening<Taken, Given>(
  { graphId, input: type }: Flow<Taken, Given>,
  input: Input<Taken>,
): string {
  return `{"graph_id":${JSON.stringify(graphId)},"input":${toJson(type, input)}`;
}

/** Reserves one second for the response to arrive. */
function waitSeconds(remainingMs: number): number {
  const seconds = Math.floor(remainingMs / 1_000) - 1;
  return Math.min(longestWaitSeconds, Math.max(1, seconds));
}

function executionOf<Taken, Given>(
  connection: Connection,
  { output }: Flow<Taken, Given>,
  fields: object,
  answer: Answer,
): Execution<Given> {
  const id = requiredText(fields, "execution_id", answer);
  try {
    return new Execution(connection, output, id);
  } catch (error) {
    throw invalidAnswer(answer, "execution_id is malformed", error);
  }
}

function failure(
  result: object,
  { id }: Execution<unknown>,
  answer: Answer,
): FlowFailedError {
  const said = textOf(result, "error_message") ?? "no error message";
  return new FlowFailedError(`${said} (execution ${id})`, {
    status: answer.status,
    headers: answer.headers,
    body: objectOf(answer),
    executionId: id,
  });
}
