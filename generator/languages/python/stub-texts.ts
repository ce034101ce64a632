import type { FieldModel, FieldType, Scalar, WellKnown } from '../../../specs/messages/message-model.ts';
import { planned } from '../../names/planned.ts';

/** Names of messages and enums, by full name. */
export type StubNames = ReadonlyMap<string, string>;

/** Names that the stubs import or declare. */
export const stubNames = [
  ...['Any', 'EnumType', 'Iterable', 'Mapping', 'Message', 'MessageMap', 'MutableMapping'],
  ...['MutableSequence', 'Package', 'RepeatedMessage'],
];

const scalars: Record<Scalar, string> = {
  bool: 'bool',
  bytes: 'bytes',
  double: 'float',
  float: 'float',
  int32: 'int',
  int64: 'int',
  string: 'str',
  uint32: 'int',
  uint64: 'int',
};

/** Module of the protobuf library that contains a well-known type. A `NullValue` is a number. */
const modules: Partial<Record<WellKnown, string>> = {
  Any: 'any_pb2',
  Duration: 'duration_pb2',
  Empty: 'empty_pb2',
  FieldMask: 'field_mask_pb2',
  ListValue: 'struct_pb2',
  Struct: 'struct_pb2',
  Timestamp: 'timestamp_pb2',
  Value: 'struct_pb2',
};

function moduleOf(type: WellKnown): string {
  return modules[type] ?? 'wrappers_pb2';
}

/** Returns the sorted modules of the well-known types that fields have. */
export function libraryModules(fields: readonly FieldModel[]): string[] {
  const found = fields.flatMap(({ type }) =>
    type.kind === 'wellKnown' && type.wellKnown !== 'NullValue' ? [moduleOf(type.wellKnown)] : [],
  );
  return [...new Set(found)].sort();
}

function valueText(type: FieldType, names: StubNames): string {
  switch (type.kind) {
    case 'scalar':
      return scalars[type.scalar];
    case 'enum':
      return 'int';
    case 'wellKnown':
      return type.wellKnown === 'NullValue' ? 'int' : `${moduleOf(type.wellKnown)}.${type.wellKnown}`;
    case 'message':
      return planned(names, type.fullName);
  }
}

function isMessage(type: FieldType): boolean {
  return type.kind === 'message' || (type.kind === 'wellKnown' && type.wellKnown !== 'NullValue');
}

/** Returns the type of the attribute. */
export function readType({ type, cardinality, mapKey }: FieldModel, names: StubNames): string {
  const value = valueText(type, names);
  if (cardinality === 'repeated') {
    // The library's own types do not derive from the host's Message.
    if (type.kind === 'wellKnown' && isMessage(type)) return 'Any';
    return isMessage(type) ? `RepeatedMessage[${value}]` : `MutableSequence[${value}]`;
  }
  if (cardinality !== 'map') return value;
  if (type.kind === 'wellKnown' && isMessage(type)) return 'Any';
  const key = scalars[mapKey ?? 'string'];
  return isMessage(type) ? `MessageMap[${key}, ${value}]` : `MutableMapping[${key}, ${value}]`;
}

/** Returns the type of the constructor's argument. An enum value may be its name. */
export function writeType({ type, cardinality, mapKey }: FieldModel, names: StubNames): string {
  const value = type.kind === 'enum' ? 'int | str' : valueText(type, names);
  if (cardinality === 'repeated') return `Iterable[${value}]`;
  if (cardinality === 'map') return `Mapping[${scalars[mapKey ?? 'string']}, ${value}]`;
  return value;
}
