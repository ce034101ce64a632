import { ScalarType, toJson } from '@bufbuild/protobuf';
import type { DescMessage, JsonValue, Message, Registry } from '@bufbuild/protobuf';
import { changeScalars } from './change-scalars.ts';
import { createReach } from './reaches.ts';
import { shortFloat } from './short-float.ts';

/**
 * ProtoJSON of a message in its parsed form, as the library makes it, but with floats of 32 bits as the short numbers that they
 * were written with: 0.1, where a double has 0.10000000149011612.
 *
 * @param registry types that an `Any` may hold
 * @throws Error when the message has no JSON form, such as an `Any` of an unknown type.
 */
export function protoJson(type: DescMessage, message: Message, registry?: Registry): JsonValue {
  const json = toJson(type, message, registry && { registry });
  return changeScalars(type, json, { registry, reach: reachesFloat, change: shorten }) as JsonValue;
}

/** So that messages without floats cost nothing. */
const reachesFloat = createReach(({ scalar }) => scalar === ScalarType.FLOAT);

/** What is not finite is a string in JSON. */
function shorten(scalar: ScalarType | undefined, json: unknown): unknown {
  return scalar === ScalarType.FLOAT && typeof json === 'number' ? shortFloat(json) : json;
}
