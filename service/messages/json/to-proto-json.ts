import { ScalarType, toJson } from '@bufbuild/protobuf';
import type { DescMessage, JsonValue, Message, Registry } from '@bufbuild/protobuf';
import { rewriteScalars } from './rewrite-scalars.ts';
import { containsField } from '../contains-field.ts';
import { shortFloat } from './short-float.ts';
import { findTimeOutOfRange } from './time-range.ts';

/**
 * Converts a message to parsed ProtoJSON. Differs from the library's `toJson` in 32-bit floats, which are as short as they were
 * written: 0.1 instead of 0.10000000149011612.
 *
 * @param registry resolves the content of an `Any`
 * @throws Error when the message has no JSON form, such as an `Any` of an unknown type or a time out of range
 */
export function toProtoJson(type: DescMessage, message: Message, registry?: Registry): JsonValue {
  const problem = findTimeOutOfRange(type, message, registry);
  if (problem !== undefined) throw new Error(problem);
  const json = toJson(type, message, registry && { registry });
  return rewriteScalars(type, json, { registry, appliesTo: containsFloat, rewrite: shorten }) as JsonValue;
}

const containsFloat = containsField(({ scalar }) => scalar === ScalarType.FLOAT);

/** NaN and infinities are already strings here. */
function shorten(scalar: ScalarType | undefined, json: unknown): unknown {
  return scalar === ScalarType.FLOAT && typeof json === 'number' ? shortFloat(json) : json;
}
