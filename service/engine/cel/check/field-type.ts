import { ScalarType } from '@bufbuild/protobuf';
import type { DescField, DescMessage } from '@bufbuild/protobuf';
import {
  anyType,
  boolType,
  bytesType,
  doubleType,
  durationType,
  dynType,
  intType,
  listOf,
  mapOf,
  stringType,
  timestampType,
  uintType,
} from './static-type.ts';
import type { StaticType } from './static-type.ts';

const wellKnown: ReadonlyMap<string, StaticType> = new Map([
  ['Any', anyType],
  ['Duration', durationType],
  ['ListValue', listOf(dynType)],
  ['Struct', mapOf(stringType, dynType)],
  ['Timestamp', timestampType],
  ['Value', dynType],
  ['BoolValue', wrapperOf(boolType)],
  ['BytesValue', wrapperOf(bytesType)],
  ['DoubleValue', wrapperOf(doubleType)],
  ['FloatValue', wrapperOf(doubleType)],
  ['Int32Value', wrapperOf(intType)],
  ['Int64Value', wrapperOf(intType)],
  ['StringValue', wrapperOf(stringType)],
  ['UInt32Value', wrapperOf(uintType)],
  ['UInt64Value', wrapperOf(uintType)],
]);

/** Returns the CEL type of a message. Well-known types have their own CEL types. */
export function messageStaticType(typeName: string): StaticType {
  const name = /^google\.protobuf\.(\w+)$/.exec(typeName)?.[1];
  return (name === undefined ? undefined : wellKnown.get(name)) ?? { kind: 'message', typeName };
}

/** Returns the type of a field selection. */
export function fieldStaticType(field: DescField): StaticType {
  switch (field.fieldKind) {
    case 'list':
      return listOf(elementType(field.listKind, field));
    case 'map':
      return mapOf(scalarStaticType(field.mapKey), elementType(field.mapKind, field));
    default:
      return elementType(field.fieldKind, field);
  }
}

function elementType(
  kind: 'enum' | 'message' | 'scalar',
  { message, scalar }: { message?: DescMessage | undefined; scalar?: ScalarType | undefined },
): StaticType {
  if (kind === 'message' && message !== undefined) return messageStaticType(message.typeName);
  if (kind === 'enum') return intType;
  return scalar === undefined ? dynType : scalarStaticType(scalar);
}

function scalarStaticType(scalar: ScalarType): StaticType {
  switch (scalar) {
    case ScalarType.BOOL:
      return boolType;
    case ScalarType.STRING:
      return stringType;
    case ScalarType.BYTES:
      return bytesType;
    case ScalarType.DOUBLE:
    case ScalarType.FLOAT:
      return doubleType;
    case ScalarType.UINT32:
    case ScalarType.UINT64:
    case ScalarType.FIXED32:
    case ScalarType.FIXED64:
      return uintType;
    default:
      return intType;
  }
}

function wrapperOf(of: StaticType): StaticType {
  return { kind: 'wrapper', of };
}
