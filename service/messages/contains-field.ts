import type { DescField, DescMessage } from '@bufbuild/protobuf';

/** Tests a message type by its fields, at any depth. Made by `containsField`. */
export type MessageTypeTest = (type: DescMessage) => boolean;

/**
 * Returns a test for message types: does the type, or a type nested in it at any depth, have a field that matches? Results are cached
 * per type, so a walk over messages can skip whole subtrees. An `Any` always matches, because its content is unknown.
 *
 * @example const containsEnum = containsField((field) => field.enum !== undefined);
 */
export function containsField(matches: (field: DescField) => boolean): MessageTypeTest {
  const results = new WeakMap<DescMessage, boolean>();
  return (type) => {
    let result = results.get(type);
    if (result === undefined) results.set(type, (result = search(type, matches)));
    return result;
  };
}

function search(root: DescMessage, matches: (field: DescField) => boolean): boolean {
  const seen = new Set<DescMessage>();
  const open = [root];
  for (let type = open.pop(); type !== undefined; type = open.pop()) {
    if (seen.has(type)) continue;
    seen.add(type);
    if (type.typeName === 'google.protobuf.Any') return true;
    for (const field of type.fields) {
      if (matches(field)) return true;
      if (field.message) open.push(field.message);
    }
  }
  return false;
}
