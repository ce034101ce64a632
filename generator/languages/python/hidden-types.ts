import type { FieldModel, MessageModel } from '../../../specs/messages/message-model.ts';
import { readType, type StubNames, writeType } from './stub-texts.ts';

/** A name that no attribute follows: `timestamp_pb2` of `timestamp_pb2.Timestamp`. */
const typeNames = /(?<![\w.])[A-Za-z_]\w*/g;

/**
 * Returns the types that a field of the same name hides in the class of its message, such as `str` in a message with a
 * field `str`, with the name of an alias for each.
 */
export function hiddenTypes(
  messages: readonly MessageModel[],
  names: StubNames,
): ReadonlyMap<string, string> {
  const taken = new Set([
    ...messages.flatMap(({ fields }) => fields.map(({ name }) => name)),
    ...names.values(),
  ]);
  const hidden = messages.flatMap(({ fields }) => {
    const used = fields.flatMap((field) => [readType(field, names), writeType(field, names)]);
    const found = new Set(used.flatMap((text) => text.match(typeNames) ?? []));
    return fields.map(({ name }) => name).filter((name) => found.has(name));
  });
  return new Map([...new Set(hidden)].sort().map((name) => [name, freeName(`_${name}`, taken)]));
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  return taken.has(name) ? freeName(`_${name}`, taken) : name;
}

/** Returns the text of a type as the class of a message with these fields writes it. */
export function visibleType(
  text: string,
  fields: readonly FieldModel[],
  aliases: ReadonlyMap<string, string>,
): string {
  const own = new Set(fields.map(({ name }) => name));
  return text.replaceAll(typeNames, (name) => (own.has(name) ? (aliases.get(name) ?? name) : name));
}
