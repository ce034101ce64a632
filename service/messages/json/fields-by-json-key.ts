import type { DescField, DescMessage } from '@bufbuild/protobuf';

const cache = new WeakMap<DescMessage, ReadonlyMap<string, DescField>>();

/**
 * The fields of a message by the two keys that JSON may use for them: proto name and JSON name. Cached per type. In packages
 * published before such conflicts were rejected, a key may match two fields. The later field wins, as in `fromJson`.
 */
export function fieldsByJsonKey(type: DescMessage): ReadonlyMap<string, DescField> {
  const found = cache.get(type);
  if (found !== undefined) return found;
  const fields = new Map<string, DescField>();
  for (const field of type.fields) fields.set(field.name, field).set(field.jsonName, field);
  cache.set(type, fields);
  return fields;
}
