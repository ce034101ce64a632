import type { WellKnown } from './message-model.ts';

/** A `Record`, so that the compiler checks that no name of the model is missing. */
const names: Readonly<Record<WellKnown, true>> = {
  Any: true,
  BoolValue: true,
  BytesValue: true,
  DoubleValue: true,
  Duration: true,
  Empty: true,
  FieldMask: true,
  FloatValue: true,
  Int32Value: true,
  Int64Value: true,
  ListValue: true,
  NullValue: true,
  StringValue: true,
  Struct: true,
  Timestamp: true,
  UInt32Value: true,
  UInt64Value: true,
  Value: true,
};

/** Returns the well-known type of a message or enum, if it is one. */
export function wellKnownOf({ typeName }: { typeName: string }): WellKnown | undefined {
  const prefix = 'google.protobuf.';
  const name = typeName.startsWith(prefix) ? typeName.slice(prefix.length) : '';
  return isWellKnown(name) ? name : undefined;
}

function isWellKnown(name: string): name is WellKnown {
  return Object.hasOwn(names, name);
}
