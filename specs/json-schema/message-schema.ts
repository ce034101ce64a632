import type { MessageModel, TypeModel } from '../messages/message-model.ts';
import { wellKnownOf } from '../messages/well-known.ts';
import type { Direction, JsonSchema } from './json-schema.ts';
import { enumSchema, objectSchema } from './object-schema.ts';
import { wellKnownSchema } from './well-known-schema.ts';

const dialect = 'https://json-schema.org/draft/2020-12/schema';

/**
 * JSON Schema 2020-12 of a message as ProtoJSON, complete in itself: the root is the message, and `$defs` holds what it
 * reaches, by full name. Whatever validates as `input` the service takes; it takes some more that is not canonical (proto names
 * of fields, `null` for an absent field, numbers as strings).
 *
 * @param root full name of a message of `types`, or of a well-known type of `google.protobuf`.
 * @throws Error that names the root when it is neither.
 */
export function messageSchema(types: TypeModel, root: string, direction: Direction): JsonSchema {
  const messages = new Map(types.messages.map((message) => [message.fullName, message]));
  const message = messages.get(root);
  if (!message) return { $schema: dialect, ...wellKnownRoot(root, direction) };
  const reached = reachedFrom(message, messages);
  const refTo = (fullName: string): string => (fullName === root ? '#' : `#/$defs/${fullName}`);
  const definitions: [string, JsonSchema][] = [
    ...types.messages
      .filter(({ fullName }) => reached.has(fullName) && fullName !== root)
      .map((each): [string, JsonSchema] => [each.fullName, objectSchema(each, direction, refTo)]),
    ...types.enums
      .filter(({ fullName }) => reached.has(fullName))
      .map((each): [string, JsonSchema] => [each.fullName, enumSchema(each, direction)]),
  ];
  return {
    $schema: dialect,
    ...objectSchema(message, direction, refTo),
    ...(definitions.length > 0 ? { $defs: Object.fromEntries(definitions) } : {}),
  };
}

function wellKnownRoot(root: string, direction: Direction): JsonSchema {
  const type = wellKnownOf({ typeName: root });
  if (type === undefined) throw new Error(`there is no message ${root}`);
  return { title: root, ...wellKnownSchema(type, direction) };
}

/** Full names of the messages and enums that a message holds, itself included. */
function reachedFrom(root: MessageModel, messages: ReadonlyMap<string, MessageModel>): ReadonlySet<string> {
  const reached = new Set([root.fullName]);
  // A set that grows while it is walked: what is added is walked too.
  for (const fullName of reached) {
    for (const { type } of messages.get(fullName)?.fields ?? []) {
      if ('fullName' in type) reached.add(type.fullName);
    }
  }
  return reached;
}
