import type { DescMessage } from '@bufbuild/protobuf';
import { WireType } from '@bufbuild/protobuf/wire';
import { MalformedBytes, readLength, readTag, skipNumber } from '../wire/wire-cursor.ts';
import type { WireCursor } from '../wire/wire-cursor.ts';
import { wirePlan } from '../wire/wire-plan.ts';
import type { ValuePlan } from '../wire/wire-plan.ts';
import { conversionCosts, microsPerMessage } from './conversion-costs.ts';

/** Nesting depth at which decoding stops. */
const maxDepth = 100;

interface Estimate {
  micros: number;
  maxMicros: number;
}

/**
 * Estimates the processor time to convert the bytes of a message, in microseconds. Returns early above `maxMicros`, and at malformed
 * bytes, where a conversion fails.
 */
export function estimateBytes(type: DescMessage, bytes: Uint8Array, maxMicros: number): number {
  const estimate = { micros: 0, maxMicros };
  try {
    addMessage(estimate, type, { bytes, at: 0, end: bytes.length }, 1);
  } catch (error) {
    if (!(error instanceof MalformedBytes)) throw error;
  }
  return estimate.micros;
}

/** Adds a message up to the end of the cursor, or up to the end tag of its group. */
function addMessage(estimate: Estimate, type: DescMessage, cursor: WireCursor, depth: number): void {
  estimate.micros += microsPerMessage(type);
  const plan = wirePlan(type);
  while (cursor.at < cursor.end && estimate.micros <= estimate.maxMicros) {
    const { field, wireType } = readTag(cursor);
    if (wireType === WireType.EndGroup) return;
    estimate.micros += conversionCosts.value;
    const declared = plan.get(field);
    if (declared?.entry && wireType === WireType.LengthDelimited)
      addEntry(estimate, declared.entry, cursor, depth);
    else addValue(estimate, { plan: declared, wireType, packed: declared?.packable === true }, cursor, depth);
  }
}

interface Value {
  /** Undefined for an undeclared field, which is skipped. */
  plan: ValuePlan | undefined;
  wireType: WireType;
  packed: boolean;
}

function addValue(
  estimate: Estimate,
  { plan, wireType, packed }: Value,
  cursor: WireCursor,
  depth: number,
): void {
  const message = depth < maxDepth ? plan?.message : undefined;
  if (wireType === WireType.StartGroup) {
    if (message === undefined) throw new MalformedBytes('group of an undeclared field', cursor.at);
    addMessage(estimate, message, cursor, depth + 1);
  } else if (wireType !== WireType.LengthDelimited) {
    skipNumber(cursor, wireType);
  } else if (message !== undefined) {
    within(cursor, () => addMessage(estimate, message, cursor, depth + 1));
  } else {
    const end = readLength(cursor);
    estimate.micros += (end - cursor.at) * (packed ? conversionCosts.packedByte : conversionCosts.byte);
    cursor.at = end;
  }
}

function addEntry(
  estimate: Estimate,
  { value }: { value: ValuePlan },
  cursor: WireCursor,
  depth: number,
): void {
  within(cursor, () => {
    while (cursor.at < cursor.end && estimate.micros <= estimate.maxMicros) {
      const { field, wireType } = readTag(cursor);
      addValue(estimate, { plan: field === 2 ? value : undefined, wireType, packed: false }, cursor, depth);
    }
  });
}

/** Limits the cursor to the next length-delimited value while `add` reads that value. */
function within(cursor: WireCursor, add: () => void): void {
  const outer = cursor.end;
  const end = readLength(cursor);
  cursor.end = end;
  add();
  // Skips the rest if the estimate ended early.
  cursor.at = end;
  cursor.end = outer;
}
