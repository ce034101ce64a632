import type { Scalar, WellKnown } from './message-model.ts';

/** Well-known types that wrap a scalar to give it presence. */
export type Wrapper = Exclude<Extract<WellKnown, `${string}Value`>, 'ListValue' | 'NullValue' | 'Value'>;

/** The scalar in each wrapper. */
export const wrappedScalars: Readonly<Record<Wrapper, Scalar>> = {
  BoolValue: 'bool',
  BytesValue: 'bytes',
  DoubleValue: 'double',
  FloatValue: 'float',
  Int32Value: 'int32',
  Int64Value: 'int64',
  StringValue: 'string',
  UInt32Value: 'uint32',
  UInt64Value: 'uint64',
};

/** Reports whether the type wraps a scalar. A message of such a type on its own may be `null`. */
export function isWrapper(wellKnown: WellKnown): wellKnown is Wrapper {
  return Object.hasOwn(wrappedScalars, wellKnown);
}
