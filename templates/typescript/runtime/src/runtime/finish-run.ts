import { checkIdempotency } from "./check-idempotency.ts";
import { getOwn, isObject } from "./codec/json.ts";
import type { Connection } from "./connection.ts";
import {
  Execution,
  flowFailed,
  FlowPausedError,
  pausedText,
} from "./execution.ts";
import { readOutput } from "./flow-output.ts";
import { executionIdOf, type Flow } from "./flow-request.ts";
import type { CallOptions } from "./options.ts";
import { type CallResult, idsOf, type RawResponse } from "./response.ts";
import {
  exactObjectOf,
  objectOf,
  requiredText,
  textOf,
} from "./response-object.ts";

/**
 * Returns the output of a run that had not completed when the service responded.
 * Throws if the run failed or a response is invalid.
 */
export async function finishRun<Taken, Given>(
  connection: Connection,
  flow: Flow<Taken, Given>,
  response: RawResponse,
  options: CallOptions & { readonly timeoutMs: number },
): Promise<CallResult<Given>> {
  const run = connection.read(response, () => {
    checkIdempotency(response);
    return (
      ended(connection, flow, response) ?? running(connection, flow, response)
    );
  });
  if ("value" in run) return run;
  const { idempotencyKey } = response;
  const timeoutMs = Math.max(1, Math.ceil(options.timeoutMs));
  return run.wait({ ...options, timeoutMs, idempotencyKey }).withResponse();
}

/** Returns the output of the run, or undefined if it has not ended. */
function ended<Taken, Given>(
  connection: Connection,
  flow: Flow<Taken, Given>,
  response: RawResponse,
): CallResult<Given> | undefined {
  const fields = exactObjectOf(response);
  const executionId = executionIdOf(fields, response);
  const result = getOwn(fields, "result");
  if (!isObject(result)) return undefined;
  if (getOwn(result, "success") === true) {
    const value = readOutput(flow.output, getOwn(result, "output"), response);
    return { value, response };
  }
  const said = textOf(result, "error_message") ?? "no error message";
  const ids = idsOf({ executionId, requestId: response.requestId });
  const run = new Execution(connection, flow.output, executionId);
  throw flowFailed(`${said} (${ids.slice(2)})`, run, {
    ...response,
    body: objectOf(response),
  });
}

/** Returns the run, which has not ended. Throws a `FlowPausedError` if paused. */
function running<Taken, Given>(
  connection: Connection,
  flow: Flow<Taken, Given>,
  response: RawResponse,
): Execution<Given> {
  const body = objectOf(response);
  const id = executionIdOf(body, response);
  const run = new Execution(connection, flow.output, id);
  if (textOf(body, "execution_status") !== "PAUSED") return run;
  const pauseId = requiredText(body, "pause_id", response);
  const details = { ...response, body };
  throw new FlowPausedError(pausedText(id), run, pauseId, details);
}
