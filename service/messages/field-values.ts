import type { DescField, DescMessage, Message } from '@bufbuild/protobuf';

/** What a field of a message holds: one value, each of a list or a map, none. */
export function valuesOf(field: DescField, message: Record<string, unknown>): unknown[] {
  const value = message[field.oneof?.localName ?? field.localName];
  if (field.fieldKind === 'list') return value as unknown[];
  if (field.fieldKind === 'map') return Object.values(value as object);
  if (field.oneof === undefined) return value === undefined ? [] : [value];
  const member = value as { case: string | undefined; value?: unknown };
  return member.case === field.localName ? [member.value] : [];
}

/** Whether a value is held as a message of the type: a Struct or a wrapper is its plain content. */
export function isMessageOf(type: DescMessage, value: unknown): value is Message {
  return (
    typeof value === 'object' && value !== null && '$typeName' in value && value.$typeName === type.typeName
  );
}
