import type { Step } from "./scripted-server.ts";

/** Execution id in scripted responses. */
export const runId = "00000000000000000000000000c0ffee";

/** Response to starting a flow, with additional `fields`. */
export function startedRun(fields: object = {}): Step {
  const start = { accepted: true, execution_id: runId };
  return { status: 202, body: JSON.stringify({ ...start, ...fields }) };
}

/** Response to a completed run. `output` is JSON text. */
export function endedRun(output: string): Step {
  const result = { success: true, output: JSON.parse(output) as unknown };
  return startedRun({ result: { ...result, completed_at: 1 } });
}

/** Response with an execution record. */
export function record(status: string): Step {
  return { body: JSON.stringify({ execution_id: runId, status }) };
}

/** Response with a page of events. */
export function page(events: object[], nextCursor?: string): Step {
  return { body: JSON.stringify({ events, next_cursor: nextCursor }) };
}
