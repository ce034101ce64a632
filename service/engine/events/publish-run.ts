import { limits } from '../../../specs/limits.ts';
import type { JournalEntry } from '../run/journal-entry.ts';
import type { ActiveStep, RunState } from '../run/run-state.ts';
import type { LiveEvents } from './live-events.ts';
import { eventOf, type RunEvent } from './run-event.ts';

type Session = Pick<RunState, 'executionId' | 'debugSessionId'>;

/** Tells of entries that are stored. A debug session keeps them too: no journal is found by its name. */
export function publishCommitted(
  live: LiveEvents,
  { executionId, debugSessionId }: Session,
  entries: readonly JournalEntry[],
): void {
  if (debugSessionId === undefined && !live.isHeard(executionId)) return;
  for (const entry of entries) {
    const event = eventOf(executionId, entry);
    if (!event) continue;
    live.publish(executionId, event);
    if (debugSessionId !== undefined) live.keep(debugSessionId, event);
  }
}

/** What a node says of its memory, unread. */
export interface MemoryUse {
  /** `READ` or `WRITE`; anything else is told to nobody. */
  operation: string;
  key: string;
  /** The author's JSON text. */
  json: string;
}

/** Tells of a node's use of memory, which is stored nowhere (SPEC.md, Event types). */
export function publishMemory(
  live: LiveEvents,
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
  live.keep(executionId, event);
  if (debugSessionId !== undefined) live.keep(debugSessionId, event);
}
