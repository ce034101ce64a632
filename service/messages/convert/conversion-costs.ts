import type { DescMessage } from '@bufbuild/protobuf';

/**
 * Upper bounds of the processor time of conversions, in microseconds, measured with the worst inputs found (Node 24, 2.8 GHz). A
 * message of 198 map fields takes 36 µs even if it is empty, an element of a repeated int32 takes 0.3 µs, and a byte of base64
 * text takes 0.04 µs.
 */
export const conversionCosts = { message: 1, fieldOfMessage: 0.2, value: 1, packedByte: 0.3, byte: 0.05 };

/** Decoding initializes each declared field, set or not. */
export function microsPerMessage({ fields }: DescMessage): number {
  return conversionCosts.message + fields.length * conversionCosts.fieldOfMessage;
}
