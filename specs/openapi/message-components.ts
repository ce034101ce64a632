import type { ReferenceObject, SchemaObject } from 'openapi3-ts/oas30';
import { atMostOnePerOneof } from '../json-schema/at-most-one.ts';
import type { Direction } from '../json-schema/json-schema.ts';
import { reachedTypes } from '../json-schema/reached-types.ts';
import type { EnumModel, FieldModel, FieldType, MessageModel, TypeModel } from '../messages/message-model.ts';
import { wellKnownOf } from '../messages/well-known.ts';
import { integerWords, mapKeyWords, scalarValue, wellKnownValue } from './message-values.ts';

type Schema = SchemaObject | ReferenceObject;

/** Full names of the messages that operations take and give. */
export interface MessageUses {
  inputs: readonly string[];
  outputs: readonly string[];
}

/** Message types as OpenAPI 3.0 schemas. */
export interface MessageComponents {
  /** For `components.schemas`: what the used messages reach. */
  schemas: Record<string, SchemaObject>;
  /** @throws Error when it is none of the used messages. */
  schemaOf: (fullName: string, direction: Direction) => Schema;
}

/**
 * ProtoJSON of messages for OpenAPI 3.0, each a component under its full name. What the service takes is not what a reader has
 * to expect (fields and enum values that a later version adds, `NaN`), so a message that is both taken and given has a second
 * component, `<full name>-output`: no proto name has a dash.
 */
export function messageComponents(types: TypeModel, { inputs, outputs }: MessageUses): MessageComponents {
  const reached = { input: reachedTypes(types, inputs), output: reachedTypes(types, outputs) };
  const nameOf = (fullName: string, direction: Direction): string =>
    direction === 'output' && reached.input.has(fullName) ? `${fullName}-output` : fullName;
  const schemas: [string, SchemaObject][] = (['input', 'output'] as const).flatMap((direction) => {
    const refTo = (fullName: string): ReferenceObject => ({
      $ref: `#/components/schemas/${nameOf(fullName, direction)}`,
    });
    return [
      ...types.messages
        .filter(({ fullName }) => reached[direction].has(fullName))
        .map((message): [string, SchemaObject] => [
          nameOf(message.fullName, direction),
          messageSchema(message, direction, refTo),
        ]),
      ...types.enums
        .filter(({ fullName }) => reached[direction].has(fullName))
        .map((each): [string, SchemaObject] => [
          nameOf(each.fullName, direction),
          enumSchema(each, direction),
        ]),
    ];
  });
  return {
    schemas: Object.fromEntries(schemas.sort(([a], [b]) => (a < b ? -1 : 1))),
    schemaOf: (fullName, direction) => {
      if (reached[direction].has(fullName)) {
        return { $ref: `#/components/schemas/${nameOf(fullName, direction)}` };
      }
      const wellKnown = wellKnownOf({ typeName: fullName });
      if (wellKnown === undefined) throw new Error(`no ${direction} ${fullName} was asked for`);
      return { title: fullName, ...wellKnownValue(wellKnown, direction) };
    },
  };
}

type RefTo = (fullName: string) => ReferenceObject;

function messageSchema(message: MessageModel, direction: Direction, refTo: RefTo): SchemaObject {
  return {
    title: message.name,
    ...told(message.comment, message.deprecated),
    type: 'object',
    // A field may be called `__proto__`: `fromEntries` makes a property of it all the same.
    properties: Object.fromEntries(
      message.fields.map((field) => [field.jsonName, fieldSchema(field, direction, refTo)]),
    ),
    ...(direction === 'input' ? { additionalProperties: false } : {}),
    ...(atMostOnePerOneof(message) as Pick<SchemaObject, 'not' | 'allOf'>),
  };
}

/** Enums are open: a reader may meet a number that no name is known for. */
function enumSchema(each: EnumModel, direction: Direction): SchemaObject {
  const names = each.values.map(({ name }) => name);
  const known: SchemaObject = { type: 'string', enum: [...new Set(names)] };
  return {
    title: each.name,
    ...told([each.comment, valueWords(each)].filter((text) => text !== '').join('\n\n'), each.deprecated),
    ...(direction === 'input' ? known : { anyOf: [known, { type: 'integer', format: 'int32' }] }),
  };
}

/** What is said of the values, which OpenAPI has no place for. */
function valueWords({ values }: EnumModel): string {
  const lines = values.map(({ name, comment, deprecated }) => {
    const said = `${deprecated ? 'Deprecated. ' : ''}${comment.replaceAll(/\s*\n\s*/g, ' ')}`.trim();
    return said === '' ? '' : `- \`${name}\`: ${said}`;
  });
  return lines.filter((line) => line !== '').join('\n');
}

function fieldSchema(field: FieldModel, direction: Direction, refTo: RefTo): Schema {
  const schema = heldSchema(field, direction, refTo);
  const words = [
    field.comment,
    field.oneof === undefined ? '' : `One of the oneof \`${field.oneof}\`: set at most one of its fields.`,
    mapKeyWords(field.mapKey),
    direction === 'input' ? integerWords(field.type) : '',
  ];
  const said = told(words.filter((text) => text !== '').join('\n\n'), field.deprecated);
  if (!('$ref' in schema)) return { ...schema, ...said };
  // Beside a reference nothing else counts.
  return Object.keys(said).length === 0 ? schema : { ...said, allOf: [schema] };
}

function heldSchema(field: FieldModel, direction: Direction, refTo: RefTo): Schema {
  const value = valueSchema(field.type, direction, refTo);
  // `null` is absence, in writing; OpenAPI 3.0 can say so only beside a type.
  const absent = direction === 'input' && field.oneof === undefined ? { nullable: true } : {};
  if (field.cardinality === 'repeated') return { type: 'array', items: value, ...absent };
  if (field.cardinality === 'map') return { type: 'object', additionalProperties: value, ...absent };
  return '$ref' in value || value.type === undefined ? value : { ...value, ...absent };
}

function valueSchema(type: FieldType, direction: Direction, refTo: RefTo): Schema {
  if (type.kind === 'scalar') return scalarValue(type.scalar, direction);
  if (type.kind === 'wellKnown') return wellKnownValue(type.wellKnown, direction);
  return refTo(type.fullName);
}

function told(comment: string, deprecated: boolean): Pick<SchemaObject, 'description' | 'deprecated'> {
  return { ...(comment === '' ? {} : { description: comment }), ...(deprecated ? { deprecated } : {}) };
}
