import type { DescMessage, Registry } from '@bufbuild/protobuf';
import { WireType } from '@bufbuild/protobuf/wire';
import { limits } from '../../../specs/limits.ts';
import { MalformedBytes, readLength, readTag, skipNumber, type WireCursor } from './wire-cursor.ts';
import { type FieldPlan, wirePlan } from './wire-plan.ts';

/** The message has more values than the service decodes. */
export const tooManyValues = `the message has more than ${limits.messageValues} values`;

/**
 * Reports whether bytes contain more values than a message may have. Each field, entry and element counts as
 * one, at every level, and also in an `Any`. A value may take only two bytes on the wire, but takes at least
 * 100 bytes of memory once decoded. Four numbers of a packed list count as one value, because they take less
 * memory; packed 64-bit integers count as one each. Malformed bytes are counted up to the malformed place,
 * and decoding rejects them.
 *
 * @param registry resolves the content of an `Any`; without it, the content is one value
 */
export function hasTooManyValues(type: DescMessage, bytes: Uint8Array, registry?: Registry): boolean {
  // Every value takes at least one byte.
  if (bytes.length <= limits.messageValues) return false;
  const counter: Counter = { left: limits.messageValues, registry };
  try {
    countMessage(counter, type, { bytes, at: 0, end: bytes.length });
  } catch (error) {
    if (!(error instanceof MalformedBytes)) throw error;
  }
  return counter.left < 0;
}

interface Counter {
  /** Negative if there are too many. */
  left: number;
  registry: Registry | undefined;
}

/** Counts to the end of the cursor, or to the end tag of a group. Stops when there are too many. */
function countMessage(counter: Counter, type: DescMessage | undefined, cursor: WireCursor): void {
  const plan = type && wirePlan(type);
  const isAny = type?.typeName === 'google.protobuf.Any';
  let content: DescMessage | undefined;
  while (cursor.at < cursor.end && counter.left >= 0) {
    const { field, wireType } = readTag(cursor);
    if (wireType === WireType.EndGroup) return;
    counter.left -= 1;
    const declared = plan?.get(field);
    if (wireType === WireType.StartGroup) {
      countMessage(counter, declared?.message, cursor);
    } else if (wireType !== WireType.LengthDelimited) {
      skipNumber(cursor, wireType);
    } else {
      const end = readLength(cursor);
      if (declared?.packable)
        counter.left -= packedNumbers(cursor, end, declared) / (declared.isLong ? 1 : 4);
      const within = { bytes: cursor.bytes, at: cursor.at, end };
      if (isAny && field === 1) content = typeNamed(counter.registry, cursor.bytes.subarray(cursor.at, end));
      const message = isAny && field === 2 ? content : (declared?.message ?? declared?.entry?.value.message);
      if (declared?.entry && message) countEntry(counter, message, within);
      else if (message) countMessage(counter, message, within);
      cursor.at = end;
    }
  }
}

/** Returns how many numbers a packed list has. */
function packedNumbers({ bytes, at }: WireCursor, end: number, { wireType }: FieldPlan): number {
  if (wireType === WireType.Bit64) return (end - at) / 8;
  if (wireType === WireType.Bit32) return (end - at) / 4;
  let count = 0;
  for (let place = at; place < end; place += 1) if ((bytes[place] ?? 0) < 0x80) count += 1;
  return count;
}

/** Counts the value of a map's entry. */
function countEntry(counter: Counter, value: DescMessage, cursor: WireCursor): void {
  while (cursor.at < cursor.end && counter.left >= 0) {
    const { field, wireType } = readTag(cursor);
    if (wireType !== WireType.LengthDelimited) {
      skipNumber(cursor, wireType);
      continue;
    }
    const end = readLength(cursor);
    if (field === 2) countMessage(counter, value, { bytes: cursor.bytes, at: cursor.at, end });
    cursor.at = end;
  }
}

function typeNamed(registry: Registry | undefined, url: Uint8Array): DescMessage | undefined {
  const text = new TextDecoder().decode(url);
  return registry?.getMessage(text.slice(text.lastIndexOf('/') + 1));
}
