import { aboutRun } from "./about-run.ts";
import type { Connection } from "./connection.ts";
import { Deadline } from "./deadline.ts";
import { ConnectionError, SvcError } from "./errors.ts";
import type { ExecutionEvent } from "./execution-event.ts";
import type { followRun as FollowRun } from "./follow-run.ts";
import type { CallOptions } from "./options.ts";

/** Yields the events of a run as they happen. Sends no request until iterated. */
export function follow(
  connection: Connection,
  executionId: string,
  options: CallOptions,
): AsyncGenerator<ExecutionEvent, void, undefined> {
  const stop = new AbortController();
  const events = iterate(connection, executionId, options, stop);
  const end = events.return.bind(events);
  // Works even while an event is pending.
  events.return = (value) => {
    stop.abort(stop);
    return end(value);
  };
  return events;
}

async function* iterate(
  connection: Connection,
  executionId: string,
  options: CallOptions,
  stop: AbortController,
): AsyncGenerator<ExecutionEvent, void, undefined> {
  const followRun = await loadFollowRun(connection, executionId, options);
  yield* followRun(connection, executionId, options, stop);
}

/** Loads the implementation on demand, because most runs are not followed. */
async function loadFollowRun(
  connection: Connection,
  executionId: string,
  options: CallOptions,
): Promise<typeof FollowRun> {
  const timeoutMs = connection.timeoutMs(options);
  const deadline = new Deadline(timeoutMs, options.signal);
  try {
    return (await deadline.guard(import("./follow-run.ts"))).followRun;
  } catch (error) {
    if (error instanceof SvcError) throw aboutRun(error, { executionId });
    const lost = new ConnectionError(
      `cannot load the module that follows runs: ${String(error)}`,
      { cause: error },
    );
    throw aboutRun(lost, { executionId });
  } finally {
    deadline.dispose();
  }
}
