import type { SchemaObject } from 'openapi3-ts/oas30';
import type { FieldType, MapKeyScalar, Scalar, WellKnown } from '../messages/message-model.ts';
import { isWrapper, wrappedScalars } from '../messages/wrapped-scalars.ts';
import type { Direction } from '../json-schema/json-schema.ts';
import * as patterns from '../json-schema/patterns.ts';

/**
 * Describes the ProtoJSON of a scalar for OpenAPI 3.0. Schemas of outputs are complete. OpenAPI 3.0 has no union types, so schemas of
 * inputs describe the canonical form; docs/json-schema.md lists the other accepted forms.
 */
export function scalarValue(scalar: Scalar, direction: Direction): SchemaObject {
  switch (scalar) {
    case 'bool':
      return { type: 'boolean' };
    case 'string':
      return { type: 'string' };
    case 'bytes':
      return direction === 'input'
        ? { type: 'string', format: 'byte', pattern: patterns.base64 }
        : { type: 'string', format: 'byte' };
    case 'double':
      return floatingPoint({ type: 'number', format: 'double' }, direction);
    case 'float':
      return floatingPoint(
        { type: 'number', format: 'float', minimum: -patterns.floatMax, maximum: patterns.floatMax },
        direction,
      );
    case 'int32':
      return { type: 'integer', format: 'int32', minimum: -2_147_483_648, maximum: 2_147_483_647 };
    case 'uint32':
      return { type: 'integer', format: 'int64', minimum: 0, maximum: 4_294_967_295 };
    case 'int64':
      return { type: 'string', format: 'int64', pattern: patterns.integer };
    case 'uint64':
      return { type: 'string', format: 'uint64', pattern: patterns.unsigned };
  }
}

/**
 * Describes a floating-point number. Outputs may contain `NaN` and the infinities, which JSON numbers cannot express.
 */
function floatingPoint(number: SchemaObject, direction: Direction): SchemaObject {
  if (direction === 'input') return number;
  return { anyOf: [number, { type: 'string', enum: [...patterns.notNumbers] }] };
}

/** Describes the ProtoJSON of a well-known type for OpenAPI 3.0. */
export function wellKnownValue(type: WellKnown, direction: Direction): SchemaObject {
  if (isWrapper(type)) return scalarValue(wrappedScalars[type], direction);
  switch (type) {
    case 'Any':
      return {
        type: 'object',
        description: 'A message with its type URL in `@type`.',
        properties: { '@type': { type: 'string' } },
        additionalProperties: true,
      };
    case 'Duration':
      return { type: 'string', pattern: patterns.duration, example: '1.500s' };
    case 'Empty':
      return { type: 'object', additionalProperties: direction !== 'input' };
    case 'FieldMask':
      return { type: 'string', pattern: patterns.fieldMask, example: 'displayName,address.city' };
    case 'ListValue':
      return { type: 'array', items: {} };
    case 'NullValue':
      return { type: 'string', nullable: true, enum: [null] };
    case 'Struct':
      return { type: 'object', additionalProperties: true };
    case 'Timestamp':
      // Python clients of openapi-generator match a pattern against the date that they have parsed.
      return { type: 'string', format: 'date-time' };
    case 'Value':
      return { description: 'Any JSON.' };
  }
}

/** Returns a sentence about the keys of a map, which no keyword of OpenAPI 3.0 describes. */
export function mapKeyNote(scalar: MapKeyScalar | undefined): string {
  if (scalar === undefined || scalar === 'string') return '';
  return scalar === 'bool' ? 'Keys are `true` and `false`.' : `Keys are integers (${scalar}) in decimal.`;
}

/** Returns a sentence about the second form of an integer: OpenAPI 3.0 has no union types. */
export function integerNote(type: FieldType): string {
  const is64Bit =
    (type.kind === 'scalar' && /^u?int64$/.test(type.scalar)) ||
    (type.kind === 'wellKnown' && /^U?Int64Value$/.test(type.wellKnown));
  return is64Bit ? 'A 64-bit integer as a string. A JSON integer is also accepted.' : '';
}
