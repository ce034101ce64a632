import { WireType } from '@bufbuild/protobuf/wire';

/** Bytes that are not well-formed protobuf. */
export class MalformedBytes extends Error {
  override readonly name = 'MalformedBytes';
  /** Where the malformed record begins. */
  readonly offset: number;

  constructor(problem: string, offset: number) {
    super(`${problem} at byte ${offset}`);
    this.offset = offset;
  }
}

/** A position in protobuf bytes. It advances by whole records and never passes the end. */
export interface WireCursor {
  readonly bytes: Uint8Array;
  at: number;
  /** End of the bytes, or of the message being read. */
  end: number;
}

/** Indexed by their number in a tag. */
const wireTypes = [
  WireType.Varint,
  WireType.Bit64,
  WireType.LengthDelimited,
  WireType.StartGroup,
  WireType.EndGroup,
  WireType.Bit32,
] as const;

/** Reads the field number and wire type of the next record. */
export function readTag(cursor: WireCursor): { field: number; wireType: WireType } {
  const start = cursor.at;
  const tag = readVarint(cursor);
  const field = Math.floor(tag / 8);
  const wireType = wireTypes[tag % 8];
  if (tag > 0xffffffff || field === 0) throw new MalformedBytes('invalid tag', start);
  if (wireType === undefined) throw new MalformedBytes(`unknown wire type ${tag % 8}`, start);
  return { field, wireType };
}

/** Reads a varint. The value is exact up to 2^53, which lengths and tags never exceed. */
export function readVarint(cursor: WireCursor): number {
  const start = cursor.at;
  let value = 0;
  let scale = 1;
  for (let count = 0; count < 10; count += 1) {
    if (cursor.at >= cursor.end) throw new MalformedBytes('truncated varint', start);
    const byte = cursor.bytes[cursor.at] ?? 0;
    cursor.at += 1;
    value += (byte & 0x7f) * scale;
    scale *= 128;
    if (byte < 0x80) return value;
  }
  throw new MalformedBytes('varint of more than 10 bytes', start);
}

/** Reads a length and returns the end of the value. The cursor is then at the start of the value. */
export function readLength(cursor: WireCursor): number {
  const start = cursor.at;
  const length = readVarint(cursor);
  if (length > cursor.end - cursor.at) {
    throw new MalformedBytes(
      `truncated value: expected ${length} bytes, got ${cursor.end - cursor.at}`,
      start,
    );
  }
  return cursor.at + length;
}

/** Skips a varint or a fixed-size value. */
export function skipNumber(cursor: WireCursor, wireType: WireType): void {
  if (wireType === WireType.Varint) {
    readVarint(cursor);
    return;
  }
  const size = wireType === WireType.Bit64 ? 8 : 4;
  if (size > cursor.end - cursor.at) throw new MalformedBytes('truncated value', cursor.at);
  cursor.at += size;
}
