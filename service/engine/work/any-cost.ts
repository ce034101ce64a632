import type { DescMessage, Message, Registry } from '@bufbuild/protobuf';
import { reflect } from '@bufbuild/protobuf/reflect';
import { type Any, anyUnpack } from '@bufbuild/protobuf/wkt';
import { containsField } from '../../messages/contains-field.ts';
import { isMessageOf, valuesOf } from '../../messages/field-values.ts';
import { decodeCost } from './decode-cost.ts';
import { valueCost } from './value-cost.ts';

const anyType = 'google.protobuf.Any';

const containsAny = containsField((field) => field.message?.typeName === anyType);

/** Levels of `Any` to descend. Deeper content costs more than any budget. */
const maxDepth = 100;

/**
 * Computes the cost of reading the content of each `Any` in a message: of decoding it, and of traversing it like `valueCost`. Content of
 * an unknown type is not read. Counting stops beyond `most`.
 */
export function anyCost(
  type: DescMessage,
  message: Message,
  registry: Registry,
  most: number,
  depth = 0,
): number {
  if (type.typeName === anyType) return contentCost(message as Any, registry, most, depth + 1);
  if (!containsAny(type)) return 0;
  let cost = 0;
  for (const field of type.fields) {
    if (!field.message) continue;
    for (const value of valuesOf(field, message)) {
      if (cost > most) return cost;
      if (isMessageOf(field.message, value)) {
        cost += anyCost(field.message, value, registry, most - cost, depth);
      }
    }
  }
  return cost;
}

function contentCost(any: Any, registry: Registry, most: number, depth: number): number {
  const type = registry.getMessage(any.typeUrl.slice(any.typeUrl.lastIndexOf('/') + 1));
  if (!type) return 0;
  if (depth > maxDepth) return Infinity;
  const cost = decodeCost(type, any.value, most);
  const content = cost > most ? undefined : unpacked(any, type);
  if (!content) return cost;
  const left = most - cost;
  return cost + valueCost(reflect(type, content), left) + anyCost(type, content, registry, left, depth);
}

/** Returns undefined for malformed content, which its conversion reports. */
function unpacked(any: Any, type: DescMessage): Message | undefined {
  try {
    return anyUnpack(any, type);
  } catch {
    return undefined;
  }
}
