import type { DescField, DescMessage, Registry } from '@bufbuild/protobuf';
import { anyUnpack } from '@bufbuild/protobuf/wkt';
import type { Any } from '@bufbuild/protobuf/wkt';
import type { UndeclaredOrdinal } from '../../errors/message-errors.ts';
import { isMessageOf, valuesOf } from '../field-values.ts';
import { containsField } from '../contains-field.ts';

const containsEnum = containsField((field) => field.enum !== undefined);

/** Reports whether the field is an enum or contains one. */
const hasEnum = (field: DescField): boolean =>
  field.enum !== undefined || (field.message !== undefined && containsEnum(field.message));

/**
 * Finds the first enum field, depth first in declaration order, whose number names no declared value. Proto3 enums are open and
 * permit such numbers, but the input of a node must not contain them.
 */
export function findUndeclaredOrdinal(
  type: DescMessage,
  message: object,
  registry: Registry,
): UndeclaredOrdinal | undefined {
  if (type.typeName === 'google.protobuf.Any') return findInAny(message as Any, registry);
  for (const field of type.fields) {
    if (!hasEnum(field)) continue;
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
      // A Struct or a wrapper is represented by its plain content, which contains no enums.
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
