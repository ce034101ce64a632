import type { MapKeyScalar, Scalar } from '../messages/message-model.ts';
import type { Direction, JsonSchema, JsonType } from './json-schema.ts';
import * as patterns from './patterns.ts';

/**
 * Returns the schema of a scalar as ProtoJSON. The service accepts numbers as numbers and as strings; it writes 64-bit
 * integers as strings and all other numbers as numbers. Keywords for numbers do not apply to strings, nor vice versa.
 */
export function scalarSchema(scalar: Scalar, direction: Direction): JsonSchema {
  const isInput = direction === 'input';
  const orText = (type: JsonType, pattern: string): JsonSchema =>
    isInput ? { type: [type, 'string'], pattern } : { type };
  switch (scalar) {
    case 'bool':
      return { type: 'boolean' };
    case 'string':
      return { type: 'string' };
    case 'bytes':
      return { type: 'string', contentEncoding: 'base64', ...(isInput ? { pattern: patterns.base64 } : {}) };
    case 'double':
      return { type: ['number', 'string'], pattern: isInput ? patterns.decimal : patterns.notNumber };
    case 'float':
      return {
        type: ['number', 'string'],
        pattern: isInput ? patterns.decimal : patterns.notNumber,
        minimum: -patterns.floatMax,
        maximum: patterns.floatMax,
      };
    case 'int32':
      return { ...orText('integer', patterns.integer), minimum: -2_147_483_648, maximum: 2_147_483_647 };
    case 'uint32':
      return { ...orText('integer', patterns.unsigned), minimum: 0, maximum: 4_294_967_295 };
    case 'int64':
      return { type: integer64(direction), format: 'int64', pattern: patterns.integer };
    case 'uint64':
      return {
        type: integer64(direction),
        format: 'uint64',
        pattern: patterns.unsigned,
        ...(isInput ? { minimum: 0 } : {}),
      };
  }
}

function integer64(direction: Direction): 'string' | ['string', 'integer'] {
  return direction === 'input' ? ['string', 'integer'] : 'string';
}

/** Returns the schema of a map's keys, which are always strings. Undefined if any string is a valid key. */
export function mapKeySchema(scalar: MapKeyScalar): JsonSchema | undefined {
  switch (scalar) {
    case 'string':
      return undefined;
    case 'bool':
      return { enum: ['true', 'false'] };
    case 'uint32':
    case 'uint64':
      return { pattern: patterns.unsignedKey };
    case 'int32':
    case 'int64':
      return { pattern: patterns.integerKey };
  }
}

/** Returns a schema that also accepts `null`, which means absence. */
export function orNull(schema: JsonSchema): JsonSchema {
  const { type } = schema;
  if (type === undefined || schema.enum !== undefined) return { anyOf: [schema, { type: 'null' }] };
  const types = Array.isArray(type) ? type : [type];
  return types.includes('null') ? schema : { ...schema, type: [...types, 'null'] };
}
