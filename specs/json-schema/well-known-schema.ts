import type { WellKnown } from '../messages/message-model.ts';
import type { Direction, JsonSchema } from './json-schema.ts';
import * as patterns from './patterns.ts';
import { scalarSchema } from './scalar-schema.ts';

/** ProtoJSON of a well-known type. */
export function wellKnownSchema(type: WellKnown, direction: Direction): JsonSchema {
  switch (type) {
    case 'Any':
      return {
        type: 'object',
        properties: { '@type': { type: 'string' } },
        ...(direction === 'input' ? { anyOf: [{ required: ['@type'] }, { maxProperties: 0 }] } : {}),
      };
    case 'BoolValue':
      return scalarSchema('bool', direction);
    case 'BytesValue':
      return scalarSchema('bytes', direction);
    case 'DoubleValue':
      return scalarSchema('double', direction);
    case 'FloatValue':
      return scalarSchema('float', direction);
    case 'Int32Value':
      return scalarSchema('int32', direction);
    case 'Int64Value':
      return scalarSchema('int64', direction);
    case 'StringValue':
      return scalarSchema('string', direction);
    case 'UInt32Value':
      return scalarSchema('uint32', direction);
    case 'UInt64Value':
      return scalarSchema('uint64', direction);
    case 'Duration':
      return { type: 'string', pattern: patterns.duration };
    case 'Empty':
      return direction === 'input' ? { type: 'object', additionalProperties: false } : { type: 'object' };
    case 'FieldMask':
      return { type: 'string', pattern: patterns.fieldMask };
    case 'ListValue':
      return { type: 'array' };
    case 'NullValue':
      return direction === 'input' ? { enum: [null, 'NULL_VALUE', 0] } : { type: 'null' };
    case 'Struct':
      return { type: 'object' };
    case 'Timestamp':
      return { type: 'string', format: 'date-time', pattern: patterns.timestamp };
    case 'Value':
      return {};
  }
}

/** Whether `null` is a value of the type in every position. */
export function hasNull(type: WellKnown): boolean {
  return type === 'Value' || type === 'NullValue';
}

/** Whether the type boxes a scalar. A message of such a type on its own may be `null`. */
export function isWrapper(type: WellKnown): boolean {
  return type !== 'Value' && type !== 'ListValue' && type !== 'NullValue' && type.endsWith('Value');
}
