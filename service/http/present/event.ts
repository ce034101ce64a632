import type { z } from 'zod';
import type { executionEvent } from '../../../specs/operations/executions.ts';
import { parseAuthoredJson } from '../../engine/events/authored-json.ts';
import { checkpointId } from '../../engine/events/checkpoint-id.ts';
import type { RunEvent } from '../../engine/events/run-event.ts';
import type { Json } from '../../errors/api-error.ts';
import { PartlyRaw } from '../answer/partly-raw.ts';
import { frameField, inputField, outputField, type ShownPayload } from './payload.ts';

type Shown = ShownPayload | undefined;
type EventJson = z.input<typeof executionEvent>;

/** @param payloads the messages of the event in the form to show. They are sent as they were decoded, without parsing them. */
export function presentEvent(
  event: RunEvent,
  { input, output, frame }: { input?: Shown; output?: Shown; frame?: Shown },
): PartlyRaw<EventJson> {
  const { log, progress, edge, mutation, memory, retry, pause, streamed, fork } = event;
  return new PartlyRaw<EventJson>({
    type: event.type,
    event_ulid: event.eventUlid,
    execution_id: event.executionId,
    timestamp_ms: event.timestampMs,
    // The node id, because a flow may contain a published node several times.
    node_id: event.nodeId,
    node_name: event.nodeId,
    instance_id: event.instanceId,
    ...(input && inputField(input)),
    ...(output && outputField(output)),
    ...(frame && frameField(frame)),
    frame_index: event.frameIndex,
    ...(streamed && {
      input_frames: streamed.inputFrames,
      total_frames: streamed.totalFrames,
      frames_dropped: streamed.framesDropped,
    }),
    mocked: event.mocked,
    progress_dropped: event.progressDropped,
    error: event.errorMessage,
    failure_kind: event.failureKind,
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
    ...(pause && {
      pause_id: pause.id,
      ...(pause.question !== undefined && { interrupt_payload: parsed(pause.question) }),
      resume_schema: pause.resumeSchema,
      expires_at_ms: pause.expiresAtMs,
      resumed_by: pause.resumedBy === '' ? undefined : pause.resumedBy,
    }),
    ...(fork && {
      forked_to_execution_id: fork.child,
      checkpoint_id: checkpointId(event.executionId, fork.checkpoint),
    }),
  });
}

/**
 * Parses text from a node, which the protocol requires to be JSON. A container may send other text, or JSON that is nested too
 * deeply; both are shown as a string.
 */
function parsed(text: string): Json {
  const json = parseAuthoredJson(text);
  return json ? json.value : text;
}
