import { ScalarType } from '@bufbuild/protobuf';
import type { DescField } from '@bufbuild/protobuf';
import type { FieldType, MapKeyScalar, Scalar } from './message-model.ts';
import { wellKnownOf } from './well-known.ts';

const scalars: Readonly<Record<ScalarType, Scalar>> = {
  [ScalarType.DOUBLE]: 'double',
  [ScalarType.FLOAT]: 'float',
  [ScalarType.INT32]: 'int32',
  [ScalarType.SINT32]: 'int32',
  [ScalarType.SFIXED32]: 'int32',
  [ScalarType.INT64]: 'int64',
  [ScalarType.SINT64]: 'int64',
  [ScalarType.SFIXED64]: 'int64',
  [ScalarType.UINT32]: 'uint32',
  [ScalarType.FIXED32]: 'uint32',
  [ScalarType.UINT64]: 'uint64',
  [ScalarType.FIXED64]: 'uint64',
  [ScalarType.BOOL]: 'bool',
  [ScalarType.STRING]: 'string',
  [ScalarType.BYTES]: 'bytes',
};

/** Returns the scalar of the model. All encodings of an integer map to the same scalar. */
export function scalarName(scalar: ScalarType): Scalar {
  return scalars[scalar];
}

/**
 * Returns the scalar of a map key.
 * @throws Error for a type that proto does not allow as a map key.
 */
export function mapKeyScalar(scalar: ScalarType): MapKeyScalar {
  const name = scalars[scalar];
  if (name === 'double' || name === 'float' || name === 'bytes') throw new Error(`${name} is no map key`);
  return name;
}

/** Returns the type of a field: the element type if repeated, the value type if a map. */
export function describeFieldType(field: DescField): FieldType {
  if (field.message) return named('message', field.message);
  if (field.enum) return named('enum', field.enum);
  return { kind: 'scalar', scalar: scalarName(field.scalar) };
}

function named(kind: 'message' | 'enum', type: Parameters<typeof wellKnownOf>[0]): FieldType {
  const wellKnown = wellKnownOf(type);
  return wellKnown === undefined ? { kind, fullName: type.typeName } : { kind: 'wellKnown', wellKnown };
}
