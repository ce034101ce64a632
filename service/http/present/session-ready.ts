import { limits } from '../../../specs/limits.ts';

const contract =
  'This session is ephemeral: it has no execution record, lives in one process, and ends with its connection. ' +
  'Frames are neither stored nor sent again.';

/** Presents the first message of a live session. */
export function presentSessionReady(
  executionId: string,
  { now, stallMs }: { now: number; stallMs: number },
): {
  type: 'SESSION_READY';
  execution_id: string;
  timestamp_ms: number;
  ephemeral: true;
  contract: string;
  limits: Record<
    | 'input_frame_bytes'
    | 'input_bytes'
    | 'input_frames'
    | 'output_bytes'
    | 'session_seconds'
    | 'stall_seconds',
    number
  >;
} {
  const { bytes, frames, frameBytes } = limits.streamInput;
  return {
    type: 'SESSION_READY',
    execution_id: executionId,
    timestamp_ms: now,
    ephemeral: true,
    contract,
    limits: {
      input_frame_bytes: frameBytes,
      input_bytes: bytes,
      input_frames: frames,
      output_bytes: limits.liveOutputBytes,
      session_seconds: limits.streamMs / 1000,
      stall_seconds: Math.ceil(stallMs / 1000),
    },
  };
}
