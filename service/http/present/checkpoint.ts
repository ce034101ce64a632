import { isoTime } from '../../clock.ts';
import { checkpointId } from '../../engine/events/checkpoint-id.ts';
import type { Checkpoint } from '../../engine/events/read-checkpoint.ts';
import { payloadField, type ShownPayload } from './payload.ts';

export interface CheckpointView {
  graphId: string;
  /** How long checkpoints can be read, milliseconds. */
  retentionMs: number;
  /** Outputs as they are shown, in the order of `completed`; `undefined`: left out. */
  outputs: readonly (ShownPayload | undefined)[];
}

/** DESIGN.md 7, Checkpoint. */
export function presentCheckpoint(
  { seq, at, reason, node, state, completed }: Checkpoint,
  { graphId, retentionMs, outputs }: CheckpointView,
): object {
  return {
    checkpoint_id: checkpointId(state.executionId, seq),
    execution_id: state.executionId,
    graph_id: graphId,
    seq,
    reason,
    node_id: node,
    step_count: state.steps,
    pending: [...state.active.values()].map((step) => step.node),
    completed: completed.map((step, index) => {
      const output = outputs[index];
      return { node_id: step.node, ...(output && payloadField('output', output)) };
    }),
    created_at: isoTime(at),
    expires_at: isoTime(at + retentionMs),
  };
}
