import type { DescField, DescMessage, Registry } from '@bufbuild/protobuf';
import { anyUnpack } from '@bufbuild/protobuf/wkt';
import type { Any } from '@bufbuild/protobuf/wkt';
import type { UndeclaredOrdinal } from '../errors/message-errors.ts';
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

function valuesOf(field: DescField, message: Record<string, unknown>): unknown[] {
  const value = message[field.oneof?.localName ?? field.localName];
  if (field.fieldKind === 'list') return value as unknown[];
  if (field.fieldKind === 'map') return Object.values(value as object);
  if (field.oneof === undefined) return value === undefined ? [] : [value];
  const member = value as { case: string | undefined; value?: unknown };
  return member.case === field.localName ? [member.value] : [];
}

function isMessageOf(type: DescMessage, value: unknown): value is object {
  return (
    typeof value === 'object' && value !== null && '$typeName' in value && value.$typeName === type.typeName
  );
}

function findInAny(any: Any, registry: Registry): UndeclaredOrdinal | undefined {
  const embedded = anyUnpack(any, registry);
  const type = embedded === undefined ? undefined : registry.getMessage(embedded.$typeName);
  return embedded && type && findUndeclaredOrdinal(type, embedded, registry);
}
