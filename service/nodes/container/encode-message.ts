import type { DescField } from '@bufbuild/protobuf';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';

/** Bytes that a message may have for its buffer to be kept. */
const keptBytes = 65_536;

/**
 * Serializes messages one after another into a buffer that is kept: one grown anew for each costs more than all that is written
 * into it.
 *
 * @returns gives the bytes of what `write` writes; it may not be asked within `write`
 */
export function createMessageEncoder(): (write: (writer: BinaryWriter) => void) => Uint8Array {
  let kept: BinaryWriter | undefined;
  return (write) => {
    const writer = kept ?? new BinaryWriter();
    // Only a message that was written to its end leaves the writer empty.
    kept = undefined;
    write(writer);
    const bytes = writer.finish();
    if (bytes.length <= keptBytes) kept = writer;
    return bytes;
  };
}

/** Tag of a field on the wire: its number and how its value is written. */
export function tagOf({ number }: DescField, type = WireType.LengthDelimited): number {
  return (number << 3) | type;
}
