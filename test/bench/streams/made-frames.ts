import { create, toBinary } from '@bufbuild/protobuf';
import { NodeMessageSchema } from '../../../service/nodes/container/protocol.ts';

/** Size of a frame, which is that of the serialized message. */
export const frameBytes = 1_024;

/** The fields `text` and `count` of the bench message, encoded by hand so that the container does minimal work. */
const textField = 0x0a;
const countField = 0x10;

/** Returns the input that requests this number of frames, a message whose `text` is the number. */
export function askForFrames(count: number): Uint8Array {
  const text = Buffer.from(String(count));
  return Buffer.concat([Buffer.from([textField, text.length]), text]);
}

/** Returns the number of frames that an input requests. */
export function askedFrames(input: Uint8Array): number {
  return Number(Buffer.from(input.subarray(2)).toString());
}

/** Returns one output frame of the container. */
export function madeFrame(): Buffer {
  const words = 'Typed nodes, wired into flows. ';
  // The text is followed by the count of two bytes, and preceded by its field and a length of two bytes.
  const length = frameBytes - 5;
  const text = Buffer.from(words.repeat(Math.ceil(length / words.length)).slice(0, length));
  const head = Buffer.from([textField, (length & 0x7f) | 0x80, length >> 7]);
  const value = Buffer.concat([head, text, Buffer.from([countField, 7])]);
  return Buffer.from(
    toBinary(NodeMessageSchema, create(NodeMessageSchema, { kind: { case: 'frame', value } })),
  );
}
