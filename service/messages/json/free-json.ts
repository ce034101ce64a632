import type { DescMessage } from '@bufbuild/protobuf';
import { containsField } from '../contains-field.ts';

const freeTypes = new Set(['google.protobuf.Struct', 'google.protobuf.Value', 'google.protobuf.ListValue']);

const containsFreeField = containsField((field) => freeTypes.has(field.message?.typeName ?? ''));

/** Reports whether JSON of the type may contain free-form JSON. */
export function containsFreeJson(type: DescMessage): boolean {
  return freeTypes.has(type.typeName) || containsFreeField(type);
}

/**
 * Returns the nesting depth of the messages that hold a piece of free-form JSON: each array or object within it is two messages,
 * a Value and its ListValue or Struct. 0 for a type that is not free-form.
 */
export function freeJsonDepth({ typeName }: DescMessage, json: unknown): number {
  if (!freeTypes.has(typeName)) return 0;
  // The outermost Value is a separate message. A Struct or a ListValue has no Value around it.
  return levelsOf(json) - (typeName === 'google.protobuf.Value' ? 0 : 1);
}

/** Number of message levels in a Value. */
function levelsOf(json: unknown): number {
  if (typeof json !== 'object' || json === null) return 1;
  let deepest = 0;
  for (const child of Object.values(json)) deepest = Math.max(deepest, levelsOf(child));
  return 2 + deepest;
}

/** Reports whether parsed JSON nests more than `levels` deep. */
export function nestsDeeper(json: unknown, levels: number): boolean {
  if (typeof json !== 'object' || json === null) return false;
  return levels === 0 || Object.values(json).some((child) => nestsDeeper(child, levels - 1));
}
