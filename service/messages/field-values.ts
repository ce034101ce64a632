import type { DescField, DescMessage, Message } from '@bufbuild/protobuf';

/** The values of a field: the elements of a list, the values of a map, or the single value if it is set. */
export function valuesOf(field: DescField, message: Record<string, unknown>): unknown[] {
  const value = message[field.oneof?.localName ?? field.localName];
  if (field.fieldKind === 'list') return value as unknown[];
  if (field.fieldKind === 'map') return Object.values(value as object);
  if (field.oneof === undefined) return value === undefined ? [] : [value];
  const member = value as { case: string | undefined; value?: unknown };
  return member.case === field.localName ? [member.value] : [];
}

/** Reports whether a value is a message of the type. protobuf-es represents a Struct or a wrapper by its plain content instead. */
export function isMessageOf(type: DescMessage, value: unknown): value is Message {
  return (
    typeof value === 'object' && value !== null && '$typeName' in value && value.$typeName === type.typeName
  );
}
