import type { WellKnown } from '../messages/message-model.ts';
import { isWrapper, wrappedScalars } from '../messages/wrapped-scalars.ts';
import type { Direction, JsonSchema } from './json-schema.ts';
import * as patterns from './patterns.ts';
import { scalarSchema } from './scalar-schema.ts';

/** Returns the schema of a well-known type as ProtoJSON. */
export function wellKnownSchema(type: WellKnown, direction: Direction): JsonSchema {
  if (isWrapper(type)) return scalarSchema(wrappedScalars[type], direction);
  switch (type) {
    case 'Any':
      return {
        type: 'object',
        properties: { '@type': { type: 'string' } },
        ...(direction === 'input' ? { anyOf: [{ required: ['@type'] }, { maxProperties: 0 }] } : {}),
      };
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

/** Reports whether `null` is a value of the type in every position. */
export function hasNull(type: WellKnown): boolean {
  return type === 'Value' || type === 'NullValue';
}
