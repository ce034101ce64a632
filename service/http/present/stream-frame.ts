import type { z } from 'zod';
import type { streamFrame } from '../../../specs/operations/stream-shapes.ts';
import type { OutputFrame } from '../../nodes/call/direct-output.ts';
import { PartlyRaw } from '../answer/partly-raw.ts';
import { RawJson } from '../answer/raw-json.ts';

/** A frame of a stream. Its payload keeps the JSON of the node's message as written. */
export type PresentedFrame = PartlyRaw<Frame>;
type Frame = z.input<typeof streamFrame>;

/** Presents the frames of a stream, each with its position. */
export function presentFrames(
  executionId: string,
  frames: AsyncGenerator<OutputFrame, void, undefined>,
  firstIndex = 0,
): AsyncIterableIterator<PresentedFrame, undefined, undefined> {
  let index = firstIndex;
  // Cheaper than a generator for many small frames.
  const present = (next: IteratorResult<OutputFrame, void>): IteratorResult<PresentedFrame, undefined> =>
    next.done === true
      ? { done: true, value: undefined }
      : { done: false, value: presentFrame(executionId, index++, next.value) };
  return {
    next: () => frames.next().then(present),
    return: () => frames.return().then(present),
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** Presents one frame. */
export function presentFrame(executionId: string, index: number, frame: OutputFrame): PresentedFrame {
  const head = { execution_id: executionId, frame_index: index };
  if (frame.kind === 'frame') {
    const payload = frame.json === undefined ? undefined : new RawJson(frame.json);
    return new PartlyRaw({ ...head, payload, is_final: false });
  }
  const { error, inputFrames } = frame;
  return new PartlyRaw<Frame>({
    ...head,
    is_final: true,
    ...(error === undefined ? { success: true } : { error }),
    ...(inputFrames !== undefined && { input_frames: inputFrames }),
  });
}
