import type { OutputFrame } from '../../nodes/call/direct-stream.ts';
import { RawJson } from '../answer/raw-json.ts';

/** Presents the frames of a stream, each with its position. The JSON of a payload stays as the node's message was written. */
export async function* presentFrames(
  executionId: string,
  frames: AsyncGenerator<OutputFrame, void, undefined>,
  firstIndex = 0,
): AsyncGenerator<RawJson, void, undefined> {
  let index = firstIndex;
  for await (const frame of frames) {
    yield presentFrame(executionId, index, frame);
    index += 1;
  }
}

/** Presents one frame. */
export function presentFrame(executionId: string, index: number, frame: OutputFrame): RawJson {
  const head = `"execution_id":"${executionId}","frame_index":${index}`;
  return new RawJson(`{${head},${contentOf(frame)}}`);
}

function contentOf(frame: OutputFrame): string {
  if (frame.kind === 'frame') {
    return `${frame.json === undefined ? '' : `"payload":${frame.json},`}"is_final":false`;
  }
  const { error, inputFrames } = frame;
  return [
    '"is_final":true',
    error === undefined ? '"success":true' : `"error":${JSON.stringify(error)}`,
    ...(inputFrames === undefined ? [] : [`"input_frames":${inputFrames}`]),
  ].join(',');
}
