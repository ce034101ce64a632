import { limits } from '../../../specs/limits.ts';
import type { ActiveStep } from '../journal/state.ts';
import type { EventHub } from './event-hub.ts';

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
  executionId: string,
  { node, branch }: Pick<ActiveStep, 'node' | 'branch'>,
  { operation, key, json, id, at }: MemoryUse & { id: string; at: number },
): void {
  const type = `MEMORY_${operation}`;
  if (type !== 'MEMORY_READ' && type !== 'MEMORY_WRITE') return;
  const fits = Buffer.byteLength(json) <= limits.progressBytes;
  events.keep(executionId, {
    type,
    eventUlid: id,
    executionId,
    timestampMs: at,
    nodeId: node,
    instanceId: branch,
    memory: { key: key.slice(0, limits.logCharacters), ...(fits && json !== '' && { json }) },
  });
}
