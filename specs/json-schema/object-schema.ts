import type { EnumModel, FieldModel, FieldType, MessageModel } from '../messages/message-model.ts';
import { atMostOnePerOneof } from './at-most-one.ts';
import type { Direction, JsonSchema } from './json-schema.ts';
import { mapKeySchema, orNull, scalarSchema } from './scalar-schema.ts';
import { hasNull, wellKnownSchema } from './well-known-schema.ts';

/** How a schema refers to the schema of a message or enum. */
type RefTo = (fullName: string) => string;

/** Returns the schema of a message as ProtoJSON. Properties have the JSON names of fields. */
export function objectSchema(message: MessageModel, direction: Direction, refTo: RefTo): JsonSchema {
  return {
    title: message.name,
    ...annotations(message),
    type: 'object',
    // A field may be named `__proto__`; `fromEntries` creates an own property for it.
    properties: Object.fromEntries(
      message.fields.map((field) => [field.jsonName, fieldSchema(field, direction, refTo)]),
    ),
    ...(direction === 'input' ? { additionalProperties: false } : {}),
    ...atMostOnePerOneof(message),
  };
}

/**
 * Returns the schema of an enum. Enums are open: a reader may receive a number without a known name. The service
 * accepts only declared values.
 */
export function enumSchema(enumeration: EnumModel, direction: Direction): JsonSchema {
  const names = enumeration.values.map(({ name }) => name);
  const numbers = [...new Set(enumeration.values.map(({ number }) => number))];
  return {
    title: enumeration.name,
    ...annotations(enumeration),
    ...(direction === 'input'
      ? { enum: [...names, ...numbers] }
      : { anyOf: [{ type: 'string', enum: names }, { type: 'integer' }] }),
  };
}

function fieldSchema(field: FieldModel, direction: Direction, refTo: RefTo): JsonSchema {
  return { ...annotations(field), ...heldSchema(field, direction, refTo) };
}

/** Returns the schema of a field. `null` means absence, except in a oneof, where it might count as set. */
function heldSchema(field: FieldModel, direction: Direction, refTo: RefTo): JsonSchema {
  const schema = presentSchema(field, direction, refTo);
  const { type, cardinality, oneof } = field;
  const holdsNull = type.kind === 'wellKnown' && hasNull(type.wellKnown) && cardinality === 'single';
  return direction === 'output' || oneof !== undefined || holdsNull ? schema : orNull(schema);
}

function presentSchema(
  { cardinality, mapKey, type }: FieldModel,
  direction: Direction,
  refTo: RefTo,
): JsonSchema {
  const value = valueSchema(type, direction, refTo);
  if (cardinality === 'repeated') return { type: 'array', items: value };
  if (cardinality !== 'map') return value;
  const propertyNames = mapKey && mapKeySchema(mapKey);
  return { type: 'object', ...(propertyNames ? { propertyNames } : {}), additionalProperties: value };
}

function valueSchema(type: FieldType, direction: Direction, refTo: RefTo): JsonSchema {
  if (type.kind === 'scalar') return scalarSchema(type.scalar, direction);
  if (type.kind === 'wellKnown') return wellKnownSchema(type.wellKnown, direction);
  return { $ref: refTo(type.fullName) };
}

function annotations({ comment, deprecated }: { comment: string; deprecated: boolean }): JsonSchema {
  return { ...(comment === '' ? {} : { description: comment }), ...(deprecated ? { deprecated } : {}) };
}
