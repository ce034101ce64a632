import { limits } from '../../../specs/limits.ts';

/**
 * Decides which frames of a stream become events. All frames are delivered, but the history of an execution
 * keeps only the first ones.
 */
export interface FrameGate {
  /** Counts a frame of this many bytes. Returns its index if it becomes an event, otherwise `undefined`. */
  pass(bytes: number): number | undefined;
  /** Frames so far. */
  total(): number;
  /** Frames that did not become events. */
  dropped(): number;
}

/** Creates the gate of one stream, with the limits `limits.frameEvents`. */
export function createFrameGate(): FrameGate {
  const { count, totalBytes, frameBytes } = limits.frameEvents;
  let total = 0;
  let dropped = 0;
  let gathered = 0;
  return {
    pass: (bytes) => {
      const index = total;
      total += 1;
      const fits = index < count && bytes <= frameBytes && gathered + bytes <= totalBytes;
      if (fits) gathered += bytes;
      else dropped += 1;
      return fits ? index : undefined;
    },
    total: () => total,
    dropped: () => dropped,
  };
}
