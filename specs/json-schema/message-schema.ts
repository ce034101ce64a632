import type { TypeModel } from '../messages/message-model.ts';
import { wellKnownOf } from '../messages/well-known.ts';
import { isWrapper } from '../messages/wrapped-scalars.ts';
import type { Direction, JsonSchema } from './json-schema.ts';
import { enumSchema, objectSchema } from './object-schema.ts';
import { reachedTypes } from './reached-types.ts';
import { orNull } from './scalar-schema.ts';
import { wellKnownSchema } from './well-known-schema.ts';

const dialect = 'https://json-schema.org/draft/2020-12/schema';

/**
 * Returns the JSON Schema 2020-12 of a message as ProtoJSON. It is self-contained: the root is the message, and `$defs`
 * contains the types that it reaches, by full name. The service accepts exactly the values that validate as `input`,
 * except for those listed in docs/json-schema.md; its responses validate as `output`.
 *
 * @param root full name of a message of `types`, or of a well-known type of `google.protobuf`.
 * @throws Error that names the root when it is neither.
 */
export function messageSchema(types: TypeModel, root: string, direction: Direction): JsonSchema {
  const message = types.messages.find(({ fullName }) => fullName === root);
  if (!message) return { $schema: dialect, ...wellKnownRoot(root, direction) };
  const reached = reachedTypes(types, [root]);
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
  const schema = wellKnownSchema(type, direction);
  return { title: root, ...(direction === 'input' && isWrapper(type) ? orNull(schema) : schema) };
}
