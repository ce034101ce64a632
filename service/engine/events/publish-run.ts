import { limits } from '../../../specs/limits.ts';
import type { JournalEntry } from '../journal/entry.ts';
import type { ActiveStep, RunState } from '../journal/state.ts';
import type { EventHub } from './event-hub.ts';
import { eventOf, type RunEvent } from './run-event.ts';

type Session = Pick<RunState, 'executionId' | 'debugSessionId'>;

/** Publishes the events of committed entries. A debug session also keeps them, because no journal is found by its name. */
export function publishCommitted(
  events: EventHub,
  { executionId, debugSessionId }: Session,
  entries: readonly JournalEntry[],
): void {
  if (debugSessionId === undefined && !events.hasSubscribers(executionId)) return;
  for (const entry of entries) {
    const event = eventOf(executionId, entry);
    if (!event) continue;
    events.publish(executionId, event);
    if (debugSessionId !== undefined) events.keep(debugSessionId, event);
  }
}

/** Memory activity as the node reports it. */
export interface MemoryUse {
  /** `READ` or `WRITE`. Other values are ignored. */
  operation: string;
  key: string;
  /** The author's JSON text. */
  json: string;
}

/** Publishes a node's memory activity, which no journal stores. */
export function publishMemory(
  events: EventHub,
  { executionId, debugSessionId }: Session,
  { node, branch }: Pick<ActiveStep, 'node' | 'branch'>,
  { operation, key, json, id, at }: MemoryUse & { id: string; at: number },
): void {
  const type = `MEMORY_${operation}`;
  if (type !== 'MEMORY_READ' && type !== 'MEMORY_WRITE') return;
  const fits = Buffer.byteLength(json) <= limits.progressBytes;
  const event: RunEvent = {
    type,
    eventUlid: id,
    executionId,
    timestampMs: at,
    nodeId: node,
    instanceId: branch,
    memory: { key: key.slice(0, limits.logCharacters), ...(fits && json !== '' && { json }) },
  };
  events.keep(executionId, event);
  if (debugSessionId !== undefined) events.keep(debugSessionId, event);
}
