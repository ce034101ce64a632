import { WireType } from '@bufbuild/protobuf/wire';

/** Bytes that are not well-formed protobuf, with the offset at which that shows. */
export class MalformedBytes extends Error {
  override readonly name = 'MalformedBytes';
  readonly offset: number;

  constructor(problem: string, offset: number) {
    super(`${problem} at byte ${offset}`);
    this.offset = offset;
  }
}

/** A place in protobuf bytes that moves over whole records and never over the end. */
export interface WireCursor {
  readonly bytes: Uint8Array;
  at: number;
  /** Where the bytes, or the message that is being read, end. */
  end: number;
}

/** By the number that stands in a tag. */
const wireTypes = [
  WireType.Varint,
  WireType.Bit64,
  WireType.LengthDelimited,
  WireType.StartGroup,
  WireType.EndGroup,
  WireType.Bit32,
] as const;

/** The field number and the wire type of the next record. */
export function readTag(cursor: WireCursor): { field: number; wireType: WireType } {
  const start = cursor.at;
  const tag = readVarint(cursor);
  const field = Math.floor(tag / 8);
  const wireType = wireTypes[tag % 8];
  if (tag > 0xffffffff || field === 0) throw new MalformedBytes('invalid tag', start);
  if (wireType === undefined) throw new MalformedBytes(`unknown wire type ${tag % 8}`, start);
  return { field, wireType };
}

/** Moves past a varint. Its value is right up to 2^53, which lengths and tags never exceed. */
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

/** Reads a length and returns where the bytes that it counts end; the cursor stands at their beginning. */
export function readLength(cursor: WireCursor): number {
  const start = cursor.at;
  const length = readVarint(cursor);
  if (length > cursor.end - cursor.at) {
    throw new MalformedBytes(
      `truncated value: ${length} bytes announced, ${cursor.end - cursor.at} left`,
      start,
    );
  }
  return cursor.at + length;
}

/** Moves past a value of fixed or varint size. */
export function skipNumber(cursor: WireCursor, wireType: WireType): void {
  if (wireType === WireType.Varint) {
    readVarint(cursor);
    return;
  }
  const size = wireType === WireType.Bit64 ? 8 : 4;
  if (size > cursor.end - cursor.at) throw new MalformedBytes('truncated value', cursor.at);
  cursor.at += size;
}
