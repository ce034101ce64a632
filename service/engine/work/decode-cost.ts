import type { DescMessage } from '@bufbuild/protobuf';
import { WireType } from '@bufbuild/protobuf/wire';
import { MalformedBytes, readLength, readTag, skipNumber } from '../../messages/wire/wire-cursor.ts';
import type { WireCursor } from '../../messages/wire/wire-cursor.ts';
import { wirePlan } from '../../messages/wire/wire-plan.ts';
import type { FieldPlan } from '../../messages/wire/wire-plan.ts';

/** Units of work to decode a record, and to count it. */
const unitsOfNumber = 0.4;
const unitsOfText = 0.6;
const unitsOfMessage = 0.9;
const unitsOfEntry = 3;
/** Numbers of a packed record, and bytes of a text, to decode per unit. */
const packedPerUnit = 7;
const bytesPerUnit = 320;

/**
 * Computes the units of work to decode a message, from its records. Counting stops beyond `most`, and at malformed bytes, which
 * decoding reports.
 */
export function decodeCost(type: DescMessage, bytes: Uint8Array, most: number): number {
  const counter = { units: 0, most };
  try {
    countMessage(type, { bytes, at: 0, end: bytes.length }, counter, 1);
  } catch (error) {
    if (!(error instanceof MalformedBytes)) throw error;
  }
  return counter.units;
}

interface Counter {
  units: number;
  most: number;
}

/** Maximum levels to descend. Beyond them, every second byte counts as a message, which is the most that fits. */
const maxDepth = 100;

function countMessage(type: DescMessage, cursor: WireCursor, counter: Counter, depth: number): void {
  const plan = wirePlan(type);
  while (cursor.at < cursor.end && counter.units <= counter.most) {
    const { field, wireType } = readTag(cursor);
    if (wireType === WireType.LengthDelimited) countDelimited(plan.get(field), cursor, counter, depth);
    else counter.units += skipRecord(cursor, wireType);
  }
}

function countDelimited(
  field: FieldPlan | undefined,
  cursor: WireCursor,
  counter: Counter,
  depth: number,
): void {
  const end = readLength(cursor);
  const size = end - cursor.at;
  if (field?.packable === true) counter.units += unitsOfText + size / packedPerUnit;
  else if (field?.entry) {
    counter.units += unitsOfEntry + size / bytesPerUnit;
    const { message } = field.entry.value;
    if (message) countEntry(message, { ...cursor, end }, counter, depth);
  } else if (field?.message) {
    counter.units += unitsOfMessage;
    if (depth > maxDepth) counter.units += (size * unitsOfMessage) / 2;
    else countMessage(field.message, { ...cursor, end }, counter, depth + 1);
  } else counter.units += unitsOfText + size / bytesPerUnit;
  cursor.at = end;
}

/** Counts the message values of a map entry. */
function countEntry(value: DescMessage, cursor: WireCursor, counter: Counter, depth: number): void {
  while (cursor.at < cursor.end) {
    const { field, wireType } = readTag(cursor);
    if (wireType !== WireType.LengthDelimited) counter.units += skipRecord(cursor, wireType);
    else {
      const end = readLength(cursor);
      if (field === 2) {
        counter.units += unitsOfMessage;
        if (depth > maxDepth) counter.units += ((end - cursor.at) * unitsOfMessage) / 2;
        else countMessage(value, { ...cursor, end }, counter, depth + 1);
      }
      cursor.at = end;
    }
  }
}

/** Skips a number, or the tag of a group. */
function skipRecord(cursor: WireCursor, wireType: WireType): number {
  if (wireType === WireType.StartGroup || wireType === WireType.EndGroup) return unitsOfMessage;
  skipNumber(cursor, wireType);
  return unitsOfNumber;
}
