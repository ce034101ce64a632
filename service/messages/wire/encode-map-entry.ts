import { type DescField, ScalarType } from '@bufbuild/protobuf';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';

type MapKeyType = Extract<DescField, { fieldKind: 'map' }>['mapKey'];

interface KeyForm {
  wireType: WireType;
  /**
   * Writes the key of an entry.
   *
   * @param key the property name of the entry
   */
  write: (writer: BinaryWriter, key: string) => unknown;
}

/** The wire format of map keys. */
const keyForms: Readonly<Record<MapKeyType, KeyForm>> = {
  [ScalarType.STRING]: { wireType: WireType.LengthDelimited, write: (writer, key) => writer.string(key) },
  [ScalarType.BOOL]: { wireType: WireType.Varint, write: (writer, key) => writer.bool(key === 'true') },
  [ScalarType.INT32]: { wireType: WireType.Varint, write: (writer, key) => writer.int32(Number(key)) },
  [ScalarType.UINT32]: { wireType: WireType.Varint, write: (writer, key) => writer.uint32(Number(key)) },
  [ScalarType.SINT32]: { wireType: WireType.Varint, write: (writer, key) => writer.sint32(Number(key)) },
  [ScalarType.INT64]: { wireType: WireType.Varint, write: (writer, key) => writer.int64(key) },
  [ScalarType.UINT64]: { wireType: WireType.Varint, write: (writer, key) => writer.uint64(key) },
  [ScalarType.SINT64]: { wireType: WireType.Varint, write: (writer, key) => writer.sint64(key) },
  [ScalarType.FIXED32]: { wireType: WireType.Bit32, write: (writer, key) => writer.fixed32(Number(key)) },
  [ScalarType.SFIXED32]: { wireType: WireType.Bit32, write: (writer, key) => writer.sfixed32(Number(key)) },
  [ScalarType.FIXED64]: { wireType: WireType.Bit64, write: (writer, key) => writer.fixed64(key) },
  [ScalarType.SFIXED64]: { wireType: WireType.Bit64, write: (writer, key) => writer.sfixed64(key) },
};

/** Encodes an entry of a map of enums, length-prefixed and without its tag. */
export function encodeMapEntry(keyType: MapKeyType, key: string, value: number): Uint8Array {
  const { wireType, write } = keyForms[keyType];
  const writer = new BinaryWriter().fork().tag(1, wireType);
  write(writer, key);
  return writer.tag(2, WireType.Varint).int32(value).join().finish();
}
