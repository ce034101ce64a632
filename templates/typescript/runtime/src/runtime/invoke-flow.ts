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
import { FlowPausedError } from "./flow-errors.ts";
import { readOutput } from "./flow-output.ts";
import { invalidAnswer } from "./invalid-answer.ts";
import type { CallOptions } from "./options.ts";

/** A compiled flow and the messages that it takes and gives. */
export interface Flow<Taken, Given> {
  readonly graphId: string;
  readonly input: RootType<Taken>;
  readonly output: RootType<Given>;
}

/**
 * How long one request may wait for the end of a run, in seconds: shorter than
 * proxies let a connection stay silent. The run is looked at from then on.
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

/** Starts a flow and does not wait for it. */
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
      `execution ${execution.id} waits for a decision`,
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

/** The request up to the fields that say how to wait. */
function opening<Taken, Given>(
  { graphId, input: type }: Flow<Taken, Given>,
  input: Input<Taken>,
): string {
  return `{"graph_id":${JSON.stringify(graphId)},"input":${toJson(type, input)}`;
}

/** Leaves a second for the way back, so that the answer to a wait arrives. */
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
    throw invalidAnswer(answer, "its execution_id is none", error);
  }
}

function failure(
  result: object,
  { id }: Execution<unknown>,
  answer: Answer,
): FlowFailedError {
  const said = textOf(result, "error_message") ?? "the flow gave no reason";
  return new FlowFailedError(`${said} (execution ${id})`, {
    status: answer.status,
    headers: answer.headers,
    body: objectOf(answer),
    executionId: id,
  });
}
