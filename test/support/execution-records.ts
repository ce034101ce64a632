import type { EventStream } from './event-stream.ts';
import { eventually } from './eventually.ts';
import type { Answer, Caller } from './running-service.ts';

/** Returns the id of the execution that an event stream belongs to. */
export function idOf(stream: Pick<EventStream, 'headers'>): string {
  return stream.headers.get('x-execution-id') ?? '';
}

/** Reads the record of an execution, or the error for an unknown one. */
export async function recordOf(
  caller: Pick<Caller, 'get'>,
  executionId: string,
): Promise<Record<string, unknown>> {
  const answer = await caller.get(`/invocations/v1/executions/${executionId}`);
  return answer.body as Record<string, unknown>;
}

/** Resolves with the record of an execution once it has ended. */
export function endOf(caller: Pick<Caller, 'get'>, executionId: string): Promise<Record<string, unknown>> {
  return eventually(async () => {
    const record = await recordOf(caller, executionId);
    return record.completed_at === undefined ? undefined : record;
  });
}

/** Reads the events of an execution. */
export async function eventsOf(
  caller: Pick<Caller, 'get'>,
  executionId: string,
  query = '',
): Promise<Answer['body']> {
  const answer = await caller.get(`/invocations/v1/executions/${executionId}/events${query}`);
  return (answer.body as { events: Answer['body'] }).events;
}
