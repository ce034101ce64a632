import { type Answer, type CallResult, idsOf } from "./answer.ts";
import {
  exactObjectOf,
  objectOf,
  requiredText,
  textOf,
} from "./answer-object.ts";
import { checkIdempotency } from "./check-idempotency.ts";
import { getOwn, isObject } from "./codec/json.ts";
import type { Connection } from "./connection.ts";
import { FlowFailedError } from "./errors.ts";
import { Execution, FlowPausedError, pausedText } from "./execution.ts";
import { readOutput } from "./flow-output.ts";
import { executionIdOf, type Flow } from "./flow-request.ts";
import type { CallOptions } from "./options.ts";

/**
 * Returns the output of a run that had not completed when the service answered.
 * Throws the error of a run that failed, and of an invalid response.
 */
export async function finishRun<Taken, Given>(
  connection: Connection,
  flow: Flow<Taken, Given>,
  answer: Answer,
  options: CallOptions & { readonly timeoutMs: number },
): Promise<CallResult<Given>> {
  const run = connection.read(answer, () => {
    checkIdempotency(answer);
    return ended(flow, answer) ?? running(connection, flow, answer);
  });
  if ("value" in run) return run;
  const { idempotencyKey } = answer;
  const timeoutMs = Math.max(1, Math.ceil(options.timeoutMs));
  return run.wait({ ...options, timeoutMs, idempotencyKey }).withAnswer();
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
  const ids = idsOf({ executionId, requestId: answer.requestId });
  throw new FlowFailedError(`${said} (${ids.slice(2)})`, {
    ...answer,
    body: objectOf(answer),
  });
}

/** Returns the run, which has not ended. Throws a `FlowPausedError`. */
function running<Taken, Given>(
  connection: Connection,
  flow: Flow<Taken, Given>,
  answer: Answer,
): Execution<Given> {
  const body = objectOf(answer);
  const id = executionIdOf(body, answer);
  const run = new Execution(connection, flow.output, id);
  if (textOf(body, "execution_status") !== "PAUSED") return run;
  const pauseId = requiredText(body, "pause_id", answer);
  const details = { ...answer, body };
  throw new FlowPausedError(pausedText(id), run, pauseId, details);
}
