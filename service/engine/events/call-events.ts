import { callEventId } from '../../ids.ts';
import type { Execution } from '../../store/executions.ts';
import type { StreamTotals } from '../journal/entry.ts';
import type { RunEvent } from './run-event.ts';

/** Sorts after the notes of any call. */
const lastPlace = 0xffff_ffff;

/** Returns the event of a direct call's start. It is not stored, because the execution implies it. */
export function callStarted(execution: Execution): RunEvent {
  return { type: 'NODE_STARTED', ...placeOf(execution, { at: execution.createdAt, place: 0 }) };
}

/**
 * Returns the event of a direct call's end, which the execution implies too. It carries no output: the record of a call has none.
 *
 * @param progressDropped number of progress frames dropped by the rate limit
 * @param streamed totals of a stream; undefined for a unary node
 */
export function callEnded(
  execution: Execution,
  progressDropped: number,
  streamed?: StreamTotals,
): RunEvent | undefined {
  const { status, completedAt, errorMessage, failureKind } = execution;
  if (completedAt === null) return undefined;
  const end = {
    ...placeOf(execution, { at: completedAt, place: lastPlace }),
    ...(progressDropped > 0 && { progressDropped }),
    ...(streamed && { streamed }),
  };
  if (status === 'COMPLETED') return { type: streamed ? 'NODE_STREAM_COMPLETE' : 'NODE_COMPLETED', ...end };
  return {
    type: 'NODE_FAILED',
    ...end,
    ...(errorMessage !== null && { errorMessage }),
    ...(failureKind && { failureKind }),
  };
}

function placeOf(
  { id: executionId, nodeFqn }: Execution,
  { at, place }: { at: number; place: number },
): Omit<RunEvent, 'type'> {
  return {
    eventUlid: callEventId(executionId, { at, place }),
    executionId,
    timestampMs: at,
    // A direct call has no node id. The node's log also uses the node's name.
    nodeId: nodeFqn?.split('/').at(-1) ?? '',
    instanceId: executionId,
  };
}
