import type {
  EnumModel,
  FieldModel,
  FieldType,
  MessageModel,
  OneofModel,
} from '../messages/message-model.ts';
import type { Direction, JsonSchema } from './json-schema.ts';
import { mapKeySchema, scalarSchema } from './scalar-schema.ts';
import { wellKnownSchema } from './well-known-schema.ts';

/** How a schema points at that of a message or enum. */
export type RefTo = (fullName: string) => string;

/** ProtoJSON of a message, in its canonical form: JSON names, and a field without a value left out instead of `null`. */
export function objectSchema(message: MessageModel, direction: Direction, refTo: RefTo): JsonSchema {
  const oneofs = message.oneofs.filter(({ fields }) => fields.length > 1);
  return {
    title: message.name,
    ...told(message),
    type: 'object',
    // A field may be called `__proto__`: `fromEntries` makes a property of it all the same.
    properties: Object.fromEntries(
      message.fields.map((field) => [field.jsonName, fieldSchema(field, direction, refTo)]),
    ),
    ...(direction === 'input' ? { additionalProperties: false } : {}),
    ...(oneofs.length > 0 ? { allOf: oneofs.map((oneof) => atMostOne(oneof, message)) } : {}),
  };
}

/** Enums are open: a reader may meet a number that no name is known for. The service takes declared values only. */
export function enumSchema(enumeration: EnumModel, direction: Direction): JsonSchema {
  const names = enumeration.values.map(({ name }) => name);
  const numbers = [...new Set(enumeration.values.map(({ number }) => number))];
  return {
    title: enumeration.name,
    ...told(enumeration),
    anyOf: [
      { type: 'string', enum: names },
      direction === 'input' ? { type: 'integer', enum: numbers } : { type: 'integer' },
    ],
  };
}

function fieldSchema(field: FieldModel, direction: Direction, refTo: RefTo): JsonSchema {
  return { ...told(field), ...heldSchema(field, direction, refTo) };
}

function heldSchema(
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

/** One of the fields and no other, or none of them. */
function atMostOne(oneof: OneofModel, message: MessageModel): JsonSchema {
  const jsonNames = new Map(message.fields.map(({ name, jsonName }) => [name, jsonName]));
  const present = oneof.fields.map((name): JsonSchema => ({ required: [jsonNames.get(name) ?? name] }));
  return { oneOf: [...present, { not: { anyOf: present } }] };
}

function told({ comment, deprecated }: { comment: string; deprecated: boolean }): JsonSchema {
  return { ...(comment === '' ? {} : { description: comment }), ...(deprecated ? { deprecated } : {}) };
}
