import { celUint, isCelList, isCelMap, isCelType, isCelUint } from '@bufbuild/cel';
import type { CelInput } from '@bufbuild/cel';
import type { Type } from '@bufbuild/cel-spec/cel/expr/checked_pb.js';
import { Type_PrimitiveType, Type_WellKnownType } from '@bufbuild/cel-spec/cel/expr/checked_pb.js';
import type { Value } from '@bufbuild/cel-spec/cel/expr/value_pb.js';
import { toJson } from '@bufbuild/protobuf';
import type { Message, Registry } from '@bufbuild/protobuf';
import { isReflectMessage, reflect } from '@bufbuild/protobuf/reflect';
import { anyUnpack, isWrapper } from '@bufbuild/protobuf/wkt';
import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  dynType,
  intType,
  listOf,
  mapOf,
  nullType,
  stringType,
  timestampType,
  typeOf,
  uintType,
} from '../../../../../service/engine/cel/check/static-type.ts';
import type { StaticType } from '../../../../../service/engine/cel/check/static-type.ts';
import { messageStaticType } from '../../../../../service/engine/cel/check/field-type.ts';

/** Converts a value of the suite to an input of the evaluator. */
export function inputOf(value: Value, registry: Registry): CelInput {
  const { kind } = value;
  switch (kind.case) {
    case 'nullValue':
      return null;
    case 'uint64Value':
      return celUint(kind.value);
    case 'enumValue':
      return BigInt(kind.value.value);
    case 'listValue':
      return kind.value.values.map((one) => inputOf(one, registry));
    case 'mapValue':
      return new Map(
        kind.value.entries.map(({ key, value: one }) => [
          inputOf(key!, registry) as bigint | boolean | string,
          inputOf(one!, registry),
        ]),
      );
    case 'objectValue': {
      const message = anyUnpack(kind.value, registry)!;
      return reflect(registry.getMessage(message.$typeName)!, message);
    }
    case 'boolValue':
    case 'bytesValue':
    case 'doubleValue':
    case 'int64Value':
    case 'stringValue':
      return kind.value;
    default:
      throw new Error(`the suite has a value of kind ${String(kind.case)}`);
  }
}

/** Converts a value of the suite or the evaluator to a form in which equal values are deeply equal. */
export function plain(value: unknown, registry: Registry): unknown {
  if (typeof value === 'bigint') return { int: String(value) };
  if (isCelUint(value)) return { uint: String(value.value) };
  if (value instanceof Uint8Array) return { bytes: Buffer.from(value).toString('hex') };
  if (isCelType(value)) return { type: value.name };
  if (isReflectMessage(value)) return plainMessage(value.message, registry);
  if (isCelMap(value) || value instanceof Map) {
    const entries = [...value].map(([key, one]) => [
      JSON.stringify(plain(key, registry)),
      plain(one, registry),
    ]);
    return { map: Object.fromEntries(entries) as unknown };
  }
  if (isCelList(value) || Array.isArray(value)) return [...value].map((one: unknown) => plain(one, registry));
  return value;
}

function plainMessage(message: Message, registry: Registry): unknown {
  if (isWrapper(message)) return plain(wrapped(message), registry);
  const json = toJson(registry.getMessage(message.$typeName)!, message, { registry });
  return { message: message.$typeName, json };
}

function wrapped({ $typeName, value }: Message & { value: unknown }): unknown {
  if ($typeName.includes('.UInt')) return celUint(BigInt(value as number));
  return $typeName.includes('.Int') ? BigInt(value as number) : value;
}

/** Converts a declared type of the suite. Undefined for a type that the checker does not support. */
export function typeOfDeclaration({ typeKind }: Type): StaticType | undefined {
  switch (typeKind.case) {
    case 'primitive':
      return primitives[typeKind.value];
    case 'wrapper': {
      const of = primitives[typeKind.value];
      return of && { kind: 'wrapper', of };
    }
    case 'wellKnown':
      if (typeKind.value === Type_WellKnownType.TIMESTAMP) return timestampType;
      return typeKind.value === Type_WellKnownType.DURATION ? durationType : { kind: 'any' };
    case 'dyn':
      return dynType;
    case 'null':
      return nullType;
    case 'listType': {
      const element = typeKind.value.elemType && typeOfDeclaration(typeKind.value.elemType);
      return element && listOf(element);
    }
    case 'mapType': {
      const key = typeKind.value.keyType && typeOfDeclaration(typeKind.value.keyType);
      const value = typeKind.value.valueType && typeOfDeclaration(typeKind.value.valueType);
      return key && value && mapOf(key, value);
    }
    case 'messageType':
      return messageStaticType(typeKind.value);
    case 'type':
      return typeOf(typeOfDeclaration(typeKind.value) ?? dynType);
    default:
      return undefined;
  }
}

const primitives: Partial<Record<Type_PrimitiveType, StaticType>> = {
  [Type_PrimitiveType.BOOL]: boolType,
  [Type_PrimitiveType.BYTES]: bytesType,
  [Type_PrimitiveType.DOUBLE]: doubleType,
  [Type_PrimitiveType.INT64]: intType,
  [Type_PrimitiveType.STRING]: stringType,
  [Type_PrimitiveType.UINT64]: uintType,
};
