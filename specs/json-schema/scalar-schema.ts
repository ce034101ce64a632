import type { MapKeyScalar, Scalar } from '../messages/message-model.ts';
import type { Direction, JsonSchema } from './json-schema.ts';

const notNumbers = ['NaN', 'Infinity', '-Infinity'];

/**
 * ProtoJSON of a scalar. 64-bit integers are decimal strings; the service takes integers too, but a reader never gets one.
 */
export function scalarSchema(scalar: Scalar, direction: Direction): JsonSchema {
  switch (scalar) {
    case 'bool':
      return { type: 'boolean' };
    case 'string':
      return { type: 'string' };
    case 'bytes':
      return { type: 'string', contentEncoding: 'base64' };
    case 'double':
    case 'float':
      return { anyOf: [{ type: 'number' }, { type: 'string', enum: [...notNumbers] }] };
    case 'int32':
      return { type: 'integer', minimum: -2_147_483_648, maximum: 2_147_483_647 };
    case 'uint32':
      return { type: 'integer', minimum: 0, maximum: 4_294_967_295 };
    case 'int64':
      return { type: integer64(direction), format: 'int64', pattern: '^-?[0-9]+$' };
    case 'uint64':
      return { type: integer64(direction), format: 'uint64', pattern: '^[0-9]+$' };
  }
}

function integer64(direction: Direction): 'string' | ['string', 'integer'] {
  return direction === 'input' ? ['string', 'integer'] : 'string';
}

/** ProtoJSON of a map's keys, which are always strings; undefined when any string is one. */
export function mapKeySchema(scalar: MapKeyScalar): JsonSchema | undefined {
  switch (scalar) {
    case 'string':
      return undefined;
    case 'bool':
      return { enum: ['true', 'false'] };
    case 'uint32':
    case 'uint64':
      return { pattern: '^[0-9]+$' };
    case 'int32':
    case 'int64':
      return { pattern: '^-?[0-9]+$' };
  }
}
