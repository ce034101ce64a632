import { celUint, isCelList, isCelMap, isCelUint } from '@bufbuild/cel';
import type { CelInput, CelValue } from '@bufbuild/cel';
import type { Registry } from '@bufbuild/protobuf';
import { isReflectMessage } from '@bufbuild/protobuf/reflect';
import { DurationSchema, TimestampSchema } from '@bufbuild/protobuf/wkt';
import { dynType, intType, listOf, mapOf, uintType } from '../cel/check/static-type.ts';
import type { StaticType } from '../cel/check/static-type.ts';
import { messageStaticType } from '../cel/check/field-type.ts';
import { dynShape } from '../transforms/shape.ts';
import type { Shape } from '../transforms/shape.ts';
import { absent } from '../transforms/value.ts';
import type { Value } from '../transforms/value.ts';
import { messageValue } from './read-field.ts';

/** Converts a value to CEL. `absent` becomes null. */
export function celInputOf(value: Value): CelInput {
  switch (value.kind) {
    case 'absent':
      return null;
    case 'enum':
    case 'int32':
      return BigInt(value.value);
    case 'uint32':
    case 'uint64':
      return celUint(BigInt(value.value));
    case 'list':
      return value.values.map(celInputOf);
    case 'map':
      return new Map(value.entries.map(([key, one]) => [celInputOf(key) as string, celInputOf(one)]));
    default:
      return value.value;
  }
}

/** Converts a CEL result. A type becomes its name, because no field holds types. */
export function valueOfCel(value: CelValue): Value {
  switch (typeof value) {
    case 'bigint':
      return { kind: 'int64', value };
    case 'boolean':
      return { kind: 'bool', value };
    case 'number':
      return { kind: 'double', value };
    case 'string':
      return { kind: 'string', value };
    default:
      break;
  }
  if (value === null) return absent;
  if (value instanceof Uint8Array) return { kind: 'bytes', value };
  if (isCelUint(value)) return { kind: 'uint64', value: value.value };
  if (isCelList(value)) return { kind: 'list', values: Array.from(value, valueOfCel) };
  if (isCelMap(value)) {
    const entries = Array.from(value, ([key, one]) => [valueOfCel(key), valueOfCel(one)] as const);
    return { kind: 'map', entries };
  }
  if (isReflectMessage(value)) return messageValue(value);
  return { kind: 'string', value: value.name };
}

/** Returns the static type of a piped value. */
export function staticTypeOf(shape: Shape): StaticType {
  switch (shape.kind) {
    case 'bool':
    case 'bytes':
    case 'double':
    case 'null':
    case 'string':
      return { kind: shape.kind };
    case 'float':
      return { kind: 'double' };
    case 'enum':
    case 'int32':
    case 'int64':
      return intType;
    case 'uint32':
    case 'uint64':
      return uintType;
    case 'dyn':
    case 'number':
      return dynType;
    case 'list':
      return listOf(staticTypeOf(shape.element));
    case 'map':
      return mapOf(staticTypeOf(shape.key), staticTypeOf(shape.value));
    case 'message':
      return messageStaticType(shape.type.typeName);
  }
}

/** Returns the shape of the results of an expression with this static type. */
export function shapeOfStaticType(type: StaticType, registry: Registry): Shape {
  switch (type.kind) {
    case 'bool':
    case 'bytes':
    case 'double':
    case 'null':
    case 'string':
      return { kind: type.kind };
    case 'int':
      return { kind: 'int64' };
    case 'uint':
      return { kind: 'uint64' };
    case 'duration':
      return { kind: 'message', type: DurationSchema };
    case 'timestamp':
      return { kind: 'message', type: TimestampSchema };
    case 'list':
      return { kind: 'list', element: shapeOfStaticType(type.element, registry) };
    case 'map':
      return {
        kind: 'map',
        key: shapeOfStaticType(type.key, registry),
        value: shapeOfStaticType(type.value, registry),
      };
    case 'message': {
      const found = registry.getMessage(type.typeName);
      return found === undefined ? dynShape : { kind: 'message', type: found };
    }
    case 'wrapper':
      return shapeOfStaticType(type.of, registry);
    case 'type':
      return { kind: 'string' };
    case 'any':
    case 'dyn':
    case 'variable':
      return dynShape;
  }
}
