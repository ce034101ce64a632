import { ScalarType } from '@bufbuild/protobuf';
import type { DescField, DescMessage } from '@bufbuild/protobuf';
import { WireType } from '@bufbuild/protobuf/wire';

/** The wire format of a value. */
export interface ValuePlan {
  wireType: WireType;
  /** Set for messages and groups. */
  message?: DescMessage;
  /** Set for strings: whether they must be valid UTF-8, as in proto3. */
  utf8?: boolean;
}

/** The wire format of a declared field. `wireType` is that of a single value, without packing. */
export interface FieldPlan extends ValuePlan {
  /** Proto name. */
  name: string;
  /** Repeated numbers may also be packed into one length-delimited record. */
  packable: boolean;
  /** Integers of 64 bits. */
  isLong: boolean;
  /** Set for maps. */
  entry?: { key: ValuePlan; value: ValuePlan };
}

const plans = new WeakMap<DescMessage, ReadonlyMap<number, FieldPlan>>();

/** The declared fields of a message, by number. Cached per type. */
export function wirePlan(type: DescMessage): ReadonlyMap<number, FieldPlan> {
  const known = plans.get(type);
  if (known !== undefined) return known;
  const plan = new Map(type.fields.map((field) => [field.number, fieldPlan(field)]));
  plans.set(type, plan);
  return plan;
}

function fieldPlan(field: DescField): FieldPlan {
  const { name } = field;
  const value = valuePlan(field);
  if (field.fieldKind === 'map') {
    const key = scalarPlan(field.mapKey, field.utf8Validation);
    return {
      name,
      wireType: WireType.LengthDelimited,
      packable: false,
      isLong: false,
      entry: { key, value },
    };
  }
  const packable = field.fieldKind === 'list' && field.listKind !== 'message' && isNumber(value.wireType);
  return { name, packable, isLong: isLong(field), ...value };
}

function valuePlan(field: DescField): ValuePlan {
  if (field.message) {
    const delimited = field.fieldKind !== 'map' && field.delimitedEncoding;
    return { wireType: delimited ? WireType.StartGroup : WireType.LengthDelimited, message: field.message };
  }
  return field.enum ? { wireType: WireType.Varint } : scalarPlan(field.scalar, field.utf8Validation);
}

function scalarPlan(scalar: ScalarType, utf8: boolean): ValuePlan {
  switch (scalar) {
    case ScalarType.DOUBLE:
    case ScalarType.FIXED64:
    case ScalarType.SFIXED64:
      return { wireType: WireType.Bit64 };
    case ScalarType.FLOAT:
    case ScalarType.FIXED32:
    case ScalarType.SFIXED32:
      return { wireType: WireType.Bit32 };
    case ScalarType.STRING:
      return { wireType: WireType.LengthDelimited, utf8 };
    case ScalarType.BYTES:
      return { wireType: WireType.LengthDelimited };
    default:
      return { wireType: WireType.Varint };
  }
}

const longs: ReadonlySet<ScalarType | undefined> = new Set([
  ScalarType.INT64,
  ScalarType.UINT64,
  ScalarType.SINT64,
  ScalarType.FIXED64,
  ScalarType.SFIXED64,
]);

function isLong({ scalar }: DescField): boolean {
  return longs.has(scalar);
}

function isNumber(wireType: WireType): boolean {
  return wireType === WireType.Varint || wireType === WireType.Bit32 || wireType === WireType.Bit64;
}
