import { create, type DescField, type DescMessage, type DescOneof, type Message } from '@bufbuild/protobuf';
import { isWrapperDesc } from '@bufbuild/protobuf/wkt';

/**
 * Builds the message from a handler's output, after `outputProblem` has accepted it. protobuf-es does not convert the content of
 * an object with `$typeName`, so `{...input, lines: [{...}]}` would keep plain objects. This function rebuilds every level.
 */
export function outputMessage(type: DescMessage, value: Readonly<Record<string, unknown>>): Message {
  const message = create(type);
  const fields = message as unknown as Record<string, unknown>;
  for (const member of type.members) {
    const entry = value[member.localName];
    if (Object.hasOwn(value, member.localName) && entry != null) {
      fields[member.localName] = memberValue(member, entry);
    }
  }
  // A node that returns its input keeps unknown fields, which a later version of the type may declare.
  if (Array.isArray(value.$unknown)) fields.$unknown = value.$unknown;
  return message;
}

function memberValue(member: DescField | DescOneof, entry: unknown): unknown {
  if (member.kind === 'oneof') {
    const chosen = entry as { case: string | undefined; value: unknown };
    const field = member.fields.find((one) => one.localName === chosen.case);
    return field ? { case: chosen.case, value: fieldValue(field, chosen.value) } : { case: undefined };
  }
  switch (member.fieldKind) {
    case 'list':
      return (entry as unknown[]).map((item) => fieldValue(member, item));
    case 'map':
      return Object.fromEntries(
        Object.entries(entry as object).map(([key, item]) => [key, fieldValue(member, item)]),
      );
    default:
      return fieldValue(member, entry);
  }
}

function fieldValue(field: DescField, value: unknown): unknown {
  if (typeof value === 'string' && field.enum !== undefined) {
    return field.enum.values.find(({ name }) => name === value)?.number;
  }
  return field.message !== undefined && !standsForItself(field, field.message)
    ? outputMessage(field.message, value as Record<string, unknown>)
    : value;
}

/** Reports whether protobuf-es represents the field without its message: a wrapper by its value, a Struct by a JSON object. */
export function standsForItself(field: DescField, message: DescMessage): boolean {
  if (isWrapperDesc(message)) return field.fieldKind === 'message' && field.oneof === undefined;
  return message.typeName === 'google.protobuf.Struct' && field.parent.typeName !== 'google.protobuf.Value';
}
