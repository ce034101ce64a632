import type { ReferenceObject, SchemaObject } from 'openapi3-ts/oas30';
import { atMostOnePerOneof } from '../json-schema/at-most-one.ts';
import type { Direction } from '../json-schema/json-schema.ts';
import { reachedTypes } from '../json-schema/reached-types.ts';
import type { EnumModel, FieldModel, FieldType, MessageModel, TypeModel } from '../messages/message-model.ts';
import { wellKnownOf } from '../messages/well-known.ts';
import { integerNote, mapKeyNote, scalarValue, wellKnownValue } from './message-values.ts';

type Schema = SchemaObject | ReferenceObject;

/** Full names of the input and output messages of operations. */
interface MessageUses {
  inputs: readonly string[];
  outputs: readonly string[];
}

/** Message types as OpenAPI 3.0 schemas. */
export interface MessageComponents {
  /** For `components.schemas`: all types that the used messages refer to. */
  schemas: Record<string, SchemaObject>;
  /** @throws Error if the message is not one of the used messages */
  schemaOf: (fullName: string, direction: Direction) => Schema;
}

/**
 * Describes messages as ProtoJSON for OpenAPI 3.0, each as a component with its full name. Outputs are wider than inputs, because a
 * later version may add fields and enum values, and numbers may be `NaN`. A message that is both an input and an output therefore has
 * a second component, `<full name>-output`; a dash cannot occur in a proto name.
 */
export function messageComponents(types: TypeModel, { inputs, outputs }: MessageUses): MessageComponents {
  const reached = { input: reachedTypes(types, inputs), output: reachedTypes(types, outputs) };
  const nameOf = (fullName: string, direction: Direction): string =>
    direction === 'output' && reached.input.has(fullName) ? `${fullName}-output` : fullName;
  const schemas: [string, SchemaObject][] = (['input', 'output'] as const).flatMap((direction) => {
    const refTo = (fullName: string): ReferenceObject => ({
      $ref: `#/components/schemas/${nameOf(fullName, direction)}`,
    });
    const isReached = ({ fullName }: { fullName: string }): boolean => reached[direction].has(fullName);
    const component = (
      { name, fullName }: { name: string; fullName: string },
      schema: SchemaObject,
    ): [string, SchemaObject] => {
      const key = nameOf(fullName, direction);
      return [key, { title: key === fullName ? name : `${name}Output`, ...schema }];
    };
    return [
      ...types.messages
        .filter(isReached)
        .map((message) => component(message, messageSchema(message, direction, refTo))),
      ...types.enums.filter(isReached).map((each) => component(each, enumSchema(each, direction))),
    ];
  });
  return {
    schemas: withUniqueTitles(schemas.sort(([a], [b]) => (a < b ? -1 : 1))),
    schemaOf: (fullName, direction) => {
      if (reached[direction].has(fullName)) {
        return { $ref: `#/components/schemas/${nameOf(fullName, direction)}` };
      }
      const wellKnown = wellKnownOf({ typeName: fullName });
      if (wellKnown === undefined) throw new Error(`${fullName} is not a used ${direction} message`);
      const isSecond = direction === 'output' && inputs.includes(fullName);
      return { title: isSecond ? `${fullName}Output` : fullName, ...wellKnownValue(wellKnown, direction) };
    },
  };
}

/**
 * Makes titles unique: generators name a type by its title, and drop a type whose name is taken. Titles that are not
 * unique become full names.
 */
function withUniqueTitles(schemas: readonly [string, SchemaObject][]): Record<string, SchemaObject> {
  const nameOf = ({ title = '' }: SchemaObject): string =>
    title.replaceAll(/[^A-Za-z0-9]/g, '').toLowerCase();
  const uses = Map.groupBy(schemas, ([, schema]) => nameOf(schema));
  return Object.fromEntries(
    schemas.map(([key, schema]) => [
      key,
      uses.get(nameOf(schema))?.length === 1 ? schema : { ...schema, title: key },
    ]),
  );
}

type RefTo = (fullName: string) => ReferenceObject;

function messageSchema(message: MessageModel, direction: Direction, refTo: RefTo): SchemaObject {
  return {
    ...descriptionOf(message.comment, message.deprecated),
    type: 'object',
    // A field may be named `__proto__`; `fromEntries` creates an own property for it.
    properties: Object.fromEntries(
      message.fields.map((field) => [field.jsonName, fieldSchema(field, direction, refTo)]),
    ),
    ...(direction === 'input' ? { additionalProperties: false } : {}),
    ...(atMostOnePerOneof(message) as Pick<SchemaObject, 'not' | 'allOf'>),
  };
}

/** Returns the schema of an enum. Enums are open: an output may contain a number without a known name. */
function enumSchema(each: EnumModel, direction: Direction): SchemaObject {
  const names = each.values.map(({ name }) => name);
  const known: SchemaObject = { type: 'string', enum: [...new Set(names)] };
  return {
    ...descriptionOf(
      [each.comment, valueNotes(each)].filter((text) => text !== '').join('\n\n'),
      each.deprecated,
    ),
    ...(direction === 'input' ? known : { anyOf: [known, { type: 'integer', format: 'int32' }] }),
  };
}

/** Returns the comments of enum values, which become part of the description because OpenAPI has no field for them. */
function valueNotes({ values }: EnumModel): string {
  const lines = values.map(({ name, comment, deprecated }) => {
    const note = `${deprecated ? 'Deprecated. ' : ''}${comment.replaceAll(/\s*\n\s*/g, ' ')}`.trim();
    return note === '' ? '' : `- \`${name}\`: ${note}`;
  });
  return lines.filter((line) => line !== '').join('\n');
}

function fieldSchema(field: FieldModel, direction: Direction, refTo: RefTo): Schema {
  const schema = heldSchema(field, direction, refTo);
  const notes = [
    field.comment,
    field.oneof === undefined ? '' : `One of the oneof \`${field.oneof}\`: set at most one of its fields.`,
    mapKeyNote(field.mapKey),
    direction === 'input' ? integerNote(field.type) : '',
  ];
  const described = descriptionOf(notes.filter((text) => text !== '').join('\n\n'), field.deprecated);
  if (!('$ref' in schema)) return { ...schema, ...described };
  // OpenAPI 3.0 ignores the siblings of a reference.
  return Object.keys(described).length === 0 ? schema : { ...described, allOf: [schema] };
}

function heldSchema(field: FieldModel, direction: Direction, refTo: RefTo): Schema {
  const value = valueSchema(field.type, direction, refTo);
  // ProtoJSON accepts `null` for an absent field. OpenAPI 3.0 allows `nullable` only next to a type.
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

function descriptionOf(
  comment: string,
  deprecated: boolean,
): Pick<SchemaObject, 'description' | 'deprecated'> {
  return { ...(comment === '' ? {} : { description: comment }), ...(deprecated ? { deprecated } : {}) };
}
