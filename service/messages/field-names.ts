import type { DescMessage } from '@bufbuild/protobuf';

/** Maximum number of field names that an error text lists. */
const maxListedNames = 12;

/** `it has text, count` or `it has no fields`, for errors about a field that a message type does not have. */
export function fieldNamesOf(type: DescMessage): string {
  const names = type.fields.slice(0, maxListedNames).map((field) => field.name);
  const more = type.fields.length > maxListedNames ? ', ...' : '';
  return names.length === 0 ? 'it has no fields' : `it has ${names.join(', ')}${more}`;
}
