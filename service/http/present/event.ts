import type { RunEvent } from '../../engine/events/run-event.ts';
import type { Json } from '../../errors/api-error.ts';
import { payloadField, type ShownPayload } from './payload.ts';

/** SPEC.md, Execution event. `input` and `output` are the event's messages as they are to be shown. */
export function presentEvent(
  event: RunEvent,
  { input, output }: { input?: ShownPayload | undefined; output?: ShownPayload | undefined },
): Record<string, Json | undefined> {
  const { log, progress, edge, mutation, memory, retry } = event;
  return {
    type: event.type,
    event_ulid: event.eventUlid,
    execution_id: event.executionId,
    timestamp_ms: event.timestampMs,
    // Nodes go by their canvas ids, since one published node may stand in a flow several times.
    node_id: event.nodeId,
    node_name: event.nodeId,
    instance_id: event.instanceId,
    ...(input && payloadField('input', input)),
    ...(output && payloadField('output', output)),
    mocked: event.mocked,
    progress_dropped: event.progressDropped,
    error: event.errorMessage,
    failure_payload: event.failurePayload === undefined ? undefined : parsed(event.failurePayload),
    ...(log && { log_message: log.message, log_level: log.level }),
    ...(progress && {
      progress_kind: progress.kind,
      progress_json: progress.json,
      progress_seq: progress.seq,
    }),
    ...(edge && {
      edge_id: edge.id,
      condition_pass: edge.conditionPass,
      adapter_applied: edge.adapterApplied,
      error: edge.error,
    }),
    ...(mutation && {
      mutation_seq: mutation.seq,
      added_nodes: mutation.nodes,
      added_edges: mutation.edges,
    }),
    ...(memory && {
      memory_key: memory.key,
      ...(memory.json !== undefined && { memory_detail: parsed(memory.json) }),
    }),
    ...(retry && {
      attempt: retry.attempt,
      max_attempts: retry.maxAttempts,
      next_attempt_at_ms: retry.nextAttemptAtMs,
    }),
  };
}

/** A node's own text: JSON by the protocol, but a container may send anything. */
function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}
