import { create, ScalarType, toBinary } from '@bufbuild/protobuf';
import type { DescField, DescMessage, Message } from '@bufbuild/protobuf';
import fc from 'fast-check';

/**
 * Returns an arbitrary message of a type, as protobuf-es accepts it, without values that have no JSON form (`Any`, NaN
 * in a Value).
 */
export function arbitraryMessage(type: DescMessage, depth = 3): fc.Arbitrary<Message> {
  const fields = type.fields.filter((field) => field.oneof === undefined && isDrawn(field, depth));
  const singles = fc.record(
    Object.fromEntries(fields.map((field) => [field.localName, arbitraryField(field, depth)])),
    { requiredKeys: [] },
  );
  const oneofs = type.oneofs.map((oneof) =>
    fc
      .option(
        fc.oneof(
          ...oneof.fields
            .filter((field) => isDrawn(field, depth))
            .map((field) => arbitraryField(field, depth).map((value) => ({ case: field.localName, value }))),
        ),
      )
      .map((value) => [oneof.localName, value ?? { case: undefined }] as const),
  );
  return fc
    .tuple(singles, ...oneofs)
    .map(([init, ...picked]) => create(type, { ...init, ...Object.fromEntries(picked) }));
}

/** Returns the bytes of an arbitrary message of a type. */
export function arbitraryBytes(type: DescMessage): fc.Arbitrary<Uint8Array> {
  return arbitraryMessage(type).map((message) => toBinary(type, message));
}

function isDrawn(field: DescField, depth: number): boolean {
  const name = field.message?.typeName;
  return name !== 'google.protobuf.Any' && (name === undefined || name.startsWith('google.') || depth > 1);
}

function arbitraryField(field: DescField, depth: number): fc.Arbitrary<unknown> {
  const value = arbitraryValue(field, depth);
  if (field.fieldKind === 'list') return fc.array(value, { maxLength: 3 });
  if (field.fieldKind === 'map') {
    const key = scalar(field.mapKey).map(String);
    const hostile =
      field.mapKey === ScalarType.STRING ? fc.oneof(key, fc.constantFrom('__proto__', 'constructor')) : key;
    // Defines own properties, because assigning `__proto__` would not create one.
    return fc
      .uniqueArray(fc.tuple(hostile, value), { maxLength: 3, selector: ([name]) => name })
      .map((entries) => Object.fromEntries(entries));
  }
  return value;
}

function arbitraryValue(field: DescField, depth: number): fc.Arbitrary<unknown> {
  if (field.enum) return fc.constantFrom(...field.enum.values.map((value) => value.number));
  if (field.message) return wellKnown(field, field.message) ?? arbitraryMessage(field.message, depth - 1);
  return scalar(field.scalar);
}

function wellKnown(field: DescField, type: DescMessage): fc.Arbitrary<unknown> | undefined {
  const nanos = fc.integer({ min: 0, max: 999_999_999 });
  switch (type.typeName) {
    case 'google.protobuf.Timestamp':
      return fc
        .tuple(fc.bigInt(-62_135_596_800n, 253_402_300_799n), nanos)
        .map(([seconds, n]) => create(type, { seconds, nanos: n }));
    case 'google.protobuf.Duration':
      return fc
        .tuple(fc.bigInt(0n, 315_576_000_000n), nanos, fc.boolean())
        .map(([seconds, n, minus]) =>
          create(type, minus ? { seconds: -seconds, nanos: -n || 0 } : { seconds, nanos: n }),
        );
    case 'google.protobuf.FieldMask':
      return fc
        .array(fc.constantFrom('a', 'user.display_name', 'b_c.d'), { minLength: 1 })
        .map((paths) => create(type, { paths }));
    case 'google.protobuf.Struct':
      return fc.dictionary(fc.string(), jsonValue());
    case 'google.protobuf.Value':
      return fc
        .constantFrom(
          { kind: { case: 'nullValue', value: 0 } },
          { kind: { case: 'numberValue', value: -0 } },
          { kind: { case: 'stringValue', value: '' } },
          { kind: { case: 'listValue', value: { values: [] } } },
        )
        .map((init) => create(type, init));
    case 'google.protobuf.ListValue':
      return fc.constant(create(type));
    default: {
      const [only] = type.fields;
      return type.typeName.endsWith('Value') && only?.fieldKind === 'scalar' && field.fieldKind === 'message'
        ? scalar(only.scalar)
        : undefined;
    }
  }
}

function jsonValue(): fc.Arbitrary<unknown> {
  return fc.jsonValue({ maxDepth: 3 });
}

function scalar(type: ScalarType): fc.Arbitrary<unknown> {
  switch (type) {
    case ScalarType.DOUBLE:
      return fc.double();
    case ScalarType.FLOAT:
      return fc.float();
    case ScalarType.BOOL:
      return fc.boolean();
    case ScalarType.STRING:
      return fc.string({ unit: 'binary' });
    case ScalarType.BYTES:
      return fc.uint8Array({ maxLength: 9 });
    case ScalarType.INT32:
    case ScalarType.SINT32:
    case ScalarType.SFIXED32:
      return fc.integer({ min: -0x80000000, max: 0x7fffffff });
    case ScalarType.UINT32:
    case ScalarType.FIXED32:
      return fc.integer({ min: 0, max: 0xffffffff });
    case ScalarType.UINT64:
    case ScalarType.FIXED64:
      return fc.bigInt(0n, 2n ** 64n - 1n);
    default:
      return fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n);
  }
}
