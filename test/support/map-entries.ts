import { type BinaryWriter, WireType } from '@bufbuild/protobuf/wire';

/** Encodes a `map<string, ...>` of enums for the wire, with any numbers. */
export function writeMapEntries(
  writer: BinaryWriter,
  field: number,
  entries: readonly (readonly [key: string, number: number])[],
): BinaryWriter {
  for (const [key, number] of entries) {
    writer.tag(field, WireType.LengthDelimited).fork();
    writer.tag(1, WireType.LengthDelimited).string(key).tag(2, WireType.Varint).int32(number).join();
  }
  return writer;
}
