import type { DescEnum } from '@bufbuild/protobuf';
import type { ReflectMessage } from '@bufbuild/protobuf/reflect';

/** Scalar kinds. Integer encodings are the integer that they encode: `sint32` is `int32`. */
export type ScalarKind =
  'bool' | 'bytes' | 'double' | 'float' | 'int32' | 'int64' | 'string' | 'uint32' | 'uint64';

/**
 * A value in an adapter expression, with the kind of its proto field. 64-bit integers are exact. `absent` is an unset field with
 * presence. It passes through every transform but `default`, `length` and `cel`, and leaves the target field unset.
 */
export type Value = { unset?: boolean } & (
  | { kind: 'absent' }
  | { kind: 'bool'; value: boolean }
  | { kind: 'bytes'; value: Uint8Array }
  | { kind: 'double' | 'float' | 'int32' | 'uint32'; value: number }
  | { kind: 'enum'; value: number; type: DescEnum }
  | { kind: 'int64' | 'uint64'; value: bigint }
  | { kind: 'list'; values: readonly Value[] }
  | { kind: 'map'; entries: readonly (readonly [key: Value, value: Value])[] }
  | { kind: 'message'; value: ReflectMessage }
  | { kind: 'string'; value: string }
);
// `unset` marks the zero value of a field without presence, which `default` replaces.

export const absent: Value = { kind: 'absent' };

/** Returns a string value. Its length is not checked; `joinBounded` checks that of a computed text. */
export function text(value: string): Value {
  return { kind: 'string', value };
}

/** Returns a value of the kind int64. Its range is not checked; `valueOfNumber` selects the kind by the range. */
export function int64(value: bigint): Value {
  return { kind: 'int64', value };
}

/** Reports whether an integer is from -2^63 to 2^63 - 1. */
export function isInt64(value: bigint): boolean {
  return BigInt.asIntN(64, value) === value;
}

/** Reports whether an integer is from 0 to 2^64 - 1. */
export function isUint64(value: bigint): boolean {
  return BigInt.asUintN(64, value) === value;
}
