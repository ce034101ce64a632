import type { Answer, CallResult } from "./answer.ts";
import { objectOf, textOf } from "./answer-object.ts";
import type { Connection } from "./connection.ts";
import { Execution, FlowPausedError, pausedText } from "./execution.ts";
import { executionIdOf, type Flow } from "./flow-request.ts";
import type { CallOptions } from "./options.ts";

/** Waits for a run that had not ended when the service answered. */
export function finishRun<Taken, Given>(
  connection: Connection,
  flow: Flow<Taken, Given>,
  answer: Answer,
  options: CallOptions & { readonly timeoutMs: number },
): Promise<CallResult<Given>> {
  const execution = connection.read(answer, () => {
    const body = objectOf(answer);
    const id = executionIdOf(body, answer);
    const run = new Execution(connection, flow.output, id);
    if (textOf(body, "execution_status") !== "PAUSED") return run;
    throw new FlowPausedError(pausedText(id), run, textOf(body, "pause_id"), {
      status: answer.status,
      headers: answer.headers,
      body,
    });
  });
  const { idempotencyKey } = answer;
  return execution
    .wait({
      ...options,
      timeoutMs: Math.max(1, options.timeoutMs),
      idempotencyKey,
    })
    .withAnswer();
}
