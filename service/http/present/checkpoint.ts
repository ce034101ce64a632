import type { z } from 'zod';
import type { checkpoint } from '../../../specs/operations/executions.ts';
import { isoTime } from '../../clock.ts';
import { checkpointId } from '../../engine/events/checkpoint-id.ts';
import type { Checkpoint } from '../../engine/events/read-checkpoint.ts';
import { PartlyRaw } from '../answer/partly-raw.ts';
import { outputField, type ShownPayload } from './payload.ts';

type CheckpointJson = z.input<typeof checkpoint>;

interface CheckpointView {
  graphId: string;
  /** How long a checkpoint can be read, in milliseconds. */
  retentionMs: number;
  /** In the order of `completed`; `undefined` omits an output. */
  outputs: readonly (ShownPayload | undefined)[];
}

/** Presents a checkpoint. Its outputs are written as they are, without being parsed. */
export function presentCheckpoint(
  { seq, at, reason, pauseId, node, state, completed }: Checkpoint,
  { graphId, retentionMs, outputs }: CheckpointView,
): PartlyRaw<CheckpointJson> {
  return new PartlyRaw<CheckpointJson>({
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
      return new PartlyRaw<CheckpointJson['completed'][number]>({
        node_id: step.node,
        ...(output && outputField(output)),
      });
    }),
    pause_id: pauseId,
    created_at: isoTime(at),
    expires_at: isoTime(at + retentionMs),
  });
}
