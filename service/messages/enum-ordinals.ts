import type { DescField, DescMessage, Registry } from '@bufbuild/protobuf';
import { anyUnpack } from '@bufbuild/protobuf/wkt';
import type { Any } from '@bufbuild/protobuf/wkt';
import type { UndeclaredOrdinal } from '../errors/message-errors.ts';
import { isMessageOf, valuesOf } from './field-values.ts';
import { createReach } from './reaches.ts';

const reachesEnum = createReach((field) => field.enum !== undefined);

const known = new WeakMap<DescMessage, readonly DescField[]>();

/** The fields below which there may be enums; worked out once per type. */
function fieldsWithEnums(type: DescMessage): readonly DescField[] {
  const found = known.get(type);
  if (found !== undefined) return found;
  const fields = type.fields.filter(
    (field) => field.enum !== undefined || (field.message !== undefined && reachesEnum(field.message)),
  );
  known.set(type, fields);
  return fields;
}

/**
 * The first enum field, in the order of declaration and depth first, whose number names no declared value. Proto3 lets such
 * numbers pass (enums are open); a node's input may not hold them (SPEC.md, Single node).
 */
export function findUndeclaredOrdinal(
  type: DescMessage,
  message: object,
  registry: Registry,
): UndeclaredOrdinal | undefined {
  if (type.typeName === 'google.protobuf.Any') return findInAny(message as Any, registry);
  for (const field of fieldsWithEnums(type)) {
    const found = findInField(field, message as Record<string, unknown>, registry);
    if (found !== undefined) return found;
  }
  return undefined;
}

function findInField(
  field: DescField,
  message: Record<string, unknown>,
  registry: Registry,
): UndeclaredOrdinal | undefined {
  const { enum: enumType, message: messageType } = field;
  for (const value of valuesOf(field, message)) {
    if (enumType === undefined) {
      // A Struct or a wrapper is held as its plain content, in which there are no enums.
      if (messageType === undefined || !isMessageOf(messageType, value)) continue;
      const found = findUndeclaredOrdinal(messageType, value, registry);
      if (found !== undefined) return found;
    } else if (typeof value === 'number' && !Object.hasOwn(enumType.value, value)) {
      return { message: field.parent.typeName, field: field.name, ordinal: value, enum: enumType.typeName };
    }
  }
  return undefined;
}

function findInAny(any: Any, registry: Registry): UndeclaredOrdinal | undefined {
  const embedded = anyUnpack(any, registry);
  const type = embedded === undefined ? undefined : registry.getMessage(embedded.$typeName);
  return embedded && type && findUndeclaredOrdinal(type, embedded, registry);
}
