import type { DescField, DescMessage } from '@bufbuild/protobuf';

const known = new WeakMap<DescMessage, ReadonlyMap<string, DescField>>();

/** The fields of a message by both names that JSON may give them; worked out once per type. */
export function fieldsByKey(type: DescMessage): ReadonlyMap<string, DescField> {
  const found = known.get(type);
  if (found !== undefined) return found;
  const fields = new Map<string, DescField>();
  for (const field of type.fields) fields.set(field.name, field).set(field.jsonName, field);
  known.set(type, fields);
  return fields;
}
