import type { WellKnown } from '../messages/message-model.ts';
import type { Direction, JsonSchema } from './json-schema.ts';
import { scalarSchema } from './scalar-schema.ts';

/** ProtoJSON of a well-known type. */
export function wellKnownSchema(type: WellKnown, direction: Direction): JsonSchema {
  switch (type) {
    case 'Any':
      return { type: 'object', properties: { '@type': { type: 'string' } } };
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
      return { type: 'string', pattern: '^-?[0-9]{1,12}(\\.[0-9]{1,9})?s$' };
    case 'Empty':
      return direction === 'input' ? { type: 'object', additionalProperties: false } : { type: 'object' };
    case 'FieldMask':
      return { type: 'string' };
    case 'ListValue':
      return { type: 'array' };
    case 'NullValue':
      return { type: 'null' };
    case 'Struct':
      return { type: 'object' };
    case 'Timestamp':
      return { type: 'string', format: 'date-time' };
    case 'Value':
      return {};
  }
}
