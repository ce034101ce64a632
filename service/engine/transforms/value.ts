import type { DescEnum } from '@bufbuild/protobuf';
import type { ReflectMessage } from '@bufbuild/protobuf/reflect';

/** Scalar kinds, with encodings folded into their integer (`sint32` is an `int32`). */
export type ScalarKind =
  'bool' | 'bytes' | 'double' | 'float' | 'int32' | 'int64' | 'string' | 'uint32' | 'uint64';

/**
 * What flows through an adapter expression: a value of a proto field, with its kind. 64 bit integers are exact. `absent` is a
 * field with presence that is not set; it passes through every transform but `default`, `length` and `cel`, and sets nothing.
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
// `unset` marks a field without presence that holds its zero value: it is that value, and `default` replaces it.

export const absent: Value = { kind: 'absent' };

export function text(value: string): Value {
  return { kind: 'string', value };
}

export function int64(value: bigint): Value {
  return { kind: 'int64', value };
}

export function isInt64(value: bigint): boolean {
  return BigInt.asIntN(64, value) === value;
}

export function isUint64(value: bigint): boolean {
  return BigInt.asUintN(64, value) === value;
}
