import { isUtf8 } from 'node:buffer';
import type { DescMessage, Registry } from '@bufbuild/protobuf';
import { WireType } from '@bufbuild/protobuf/wire';
import { payloadMismatch } from '../../errors/message-errors.ts';
import { converted, rejected } from '../conversion.ts';
import type { Conversion } from '../conversion.ts';
import { messageType } from '../message-type.ts';
import { hasTooManyValues, tooManyValues } from './count-values.ts';
import { MalformedBytes, readLength, readTag, readVarint, skipNumber } from './wire-cursor.ts';
import type { WireCursor } from './wire-cursor.ts';
import { wirePlan } from './wire-plan.ts';
import type { FieldPlan, ValuePlan } from './wire-plan.ts';

/**
 * Validates bytes against a message type more strictly than decoding: every field number is declared, every wire type matches its
 * field, nothing is truncated or malformed, messages nest at most 100 levels deep, and there are not too many values.
 *
 * @returns the same bytes, or `payload does not match the node's current input schema: <detail>`
 * @throws Error when the registry does not contain `typeName`
 */
export function checkPayload(
  registry: Registry,
  typeName: string,
  bytes: Uint8Array,
): Conversion<Uint8Array> {
  const type = messageType(registry, typeName);
  if (hasTooManyValues(type, bytes, registry)) return rejected(payloadMismatch(tooManyValues));
  try {
    checkMessage(type, { bytes, at: 0, end: bytes.length }, 1);
    return converted(bytes);
  } catch (error) {
    if (error instanceof WireMismatch || error instanceof MalformedBytes) {
      return rejected(payloadMismatch(error.message));
    }
    throw error;
  }
}

/** Well-formed bytes that do not match the type. Ends the recursion and is caught in this file. */
class WireMismatch extends Error {
  override readonly name = 'WireMismatch';
}

const maxMessageDepth = 100;

const wireTypeNames: Readonly<Record<WireType, string>> = {
  [WireType.Varint]: 'varint',
  [WireType.Bit64]: '64-bit',
  [WireType.LengthDelimited]: 'length-delimited',
  [WireType.StartGroup]: 'group',
  [WireType.EndGroup]: 'end of a group',
  [WireType.Bit32]: '32-bit',
};

/** Checks a message up to the end of the cursor, or up to the end tag of `group`. */
function checkMessage(type: DescMessage, cursor: WireCursor, depth: number, group?: number): void {
  if (depth > maxMessageDepth) throw new WireMismatch(`messages nest deeper than ${maxMessageDepth} levels`);
  const plan = wirePlan(type);
  while (cursor.at < cursor.end) {
    const { field, wireType } = readTag(cursor);
    if (wireType === WireType.EndGroup) {
      if (field === group) return;
      throw new WireMismatch(`${type.typeName}: end tag of group ${field} without a matching start tag`);
    }
    const declared = plan.get(field);
    if (declared === undefined)
      throw new WireMismatch(`${type.typeName}: field number ${field} is not declared`);
    checkField(declared, cursor, wireType, { depth, field, label: `${type.typeName}.${declared.name}` });
  }
  if (group !== undefined) throw new WireMismatch(`${type.typeName}: group ${group} has no end tag`);
}

interface Context {
  depth: number;
  field: number;
  /** Full name of the field, for error texts. */
  label: string;
}

function checkField(plan: FieldPlan, cursor: WireCursor, wireType: WireType, context: Context): void {
  if (plan.packable && wireType === WireType.LengthDelimited) {
    within(cursor, () => {
      while (cursor.at < cursor.end) skipNumber(cursor, plan.wireType);
    });
    return;
  }
  expectWireType(plan, wireType, `${context.label}: field ${context.field}`);
  if (plan.entry === undefined) checkValue(plan, cursor, context);
  else checkEntry(plan.entry, cursor, context);
}

function checkEntry(entry: { key: ValuePlan; value: ValuePlan }, cursor: WireCursor, context: Context): void {
  within(cursor, () => {
    while (cursor.at < cursor.end) {
      const { field, wireType } = readTag(cursor);
      if (field !== 1 && field !== 2) {
        throw new WireMismatch(`${context.label}: field number ${field} is not declared in a map entry`);
      }
      const plan = field === 1 ? entry.key : entry.value;
      expectWireType(plan, wireType, `${context.label}: the map ${field === 1 ? 'key' : 'value'}`);
      checkValue(plan, cursor, { ...context, field });
    }
  });
}

function checkValue(plan: ValuePlan, cursor: WireCursor, { depth, field, label }: Context): void {
  const { message } = plan;
  if (message !== undefined) {
    if (plan.wireType === WireType.StartGroup) checkMessage(message, cursor, depth + 1, field);
    else within(cursor, () => checkMessage(message, cursor, depth + 1));
  } else if (plan.wireType === WireType.LengthDelimited) {
    const end = readLength(cursor);
    if (plan.utf8 === true && !isUtf8(cursor.bytes.subarray(cursor.at, end))) {
      throw new WireMismatch(`${label}: the string is not UTF-8`);
    }
    cursor.at = end;
  } else if (plan.wireType === WireType.Varint) {
    readVarint(cursor);
  } else {
    skipNumber(cursor, plan.wireType);
  }
}

/** Limits the cursor to the next length-delimited value while `check` reads that value. */
function within(cursor: WireCursor, check: () => void): void {
  const outer = cursor.end;
  cursor.end = readLength(cursor);
  check();
  cursor.end = outer;
}

function expectWireType(plan: ValuePlan, wireType: WireType, what: string): void {
  if (wireType === plan.wireType) return;
  throw new WireMismatch(
    `${what} has wire type ${wireType} (${wireTypeNames[wireType]}), ` +
      `expected ${plan.wireType} (${wireTypeNames[plan.wireType]})`,
  );
}
