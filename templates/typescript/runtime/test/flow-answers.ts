import type { Step } from "./scripted-server.ts";

/** Id of the run that scripted servers tell of. */
export const runId = "00000000000000000000000000c0ffee";

/** Answers a flow's start; `fields` say how far its run is. */
export function startedRun(fields: object = {}): Step {
  const start = { accepted: true, execution_id: runId };
  return { status: 202, body: JSON.stringify({ ...start, ...fields }) };
}

/** Answers a waited run that succeeded; `output` is JSON. */
export function endedRun(output: string): Step {
  const result = { success: true, output: JSON.parse(output) as unknown };
  return startedRun({ result: { ...result, completed_at: 1 } });
}

/** Answers a look at the run. */
export function record(status: string): Step {
  return { body: JSON.stringify({ execution_id: runId, status }) };
}

/** Answers a page of the run's history. */
export function page(events: object[], nextCursor?: string): Step {
  return { body: JSON.stringify({ events, next_cursor: nextCursor }) };
}
