import type { DescField, DescMessage } from '@bufbuild/protobuf';

const known = new WeakMap<DescMessage, ReadonlyMap<string, DescField>>();

/**
 * The fields of a message by both names that JSON may give them; worked out once per type. Where an old package has one name for
 * two fields (new ones are refused, `check-descriptors.ts`), the later one has it, as in the library that reads the JSON.
 */
export function fieldsByKey(type: DescMessage): ReadonlyMap<string, DescField> {
  const found = known.get(type);
  if (found !== undefined) return found;
  const fields = new Map<string, DescField>();
  for (const field of type.fields) fields.set(field.name, field).set(field.jsonName, field);
  known.set(type, fields);
  return fields;
}
