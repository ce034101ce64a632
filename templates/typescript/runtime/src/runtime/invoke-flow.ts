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
  const answer = await connection.post(path, body, options, facts);
  const value = connection.read(answer, () =>
    executionOf(connection, flow, objectOf(answer), answer),
  );
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
  const answer = await connection.post(path, body, options, facts);
  const end = connection.read(answer, () => ended(connection, flow, answer));
  if (!(end instanceof Execution)) return end;
  const timeoutMs = Math.max(1, endsAt - performance.now());
  const { idempotencyKey } = answer;
  return end.wait({ ...options, idempotencyKey, timeoutMs }).withAnswer();
}

/** Returns the output of the run, or the run if it has not ended. */
function ended<Taken, Given>(
  connection: Connection,
  flow: Flow<Taken, Given>,
  answer: Answer,
): CallResult<Given> | Execution<Given> {
  const fields = exactObjectOf(answer);
  const execution = executionOf(connection, flow, fields, answer);
  const result = getOwn(fields, "result");
  if (isObject(result)) {
    if (getOwn(result, "success") !== true)
      throw failure(result, execution, answer);
    const output = getOwn(result, "output");
    return { value: readOutput(flow.output, output, answer), answer };
  }
  if (textOf(fields, "execution_status") !== "PAUSED") return execution;
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
}

/** The id of a run is in the body if a proxy drops the header. */
const facts = {
  executionId(body: string): string | undefined {
    return /"execution_id"\s*:\s*"([0-9a-f]{32})"/i.exec(body)?.[1];
  },
};

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
