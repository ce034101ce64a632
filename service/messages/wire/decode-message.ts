import { fromBinary, toBinary } from '@bufbuild/protobuf';
import type { DescEnum, DescField, DescMessage, Message, Registry, UnknownField } from '@bufbuild/protobuf';
import { type Any, anyUnpack } from '@bufbuild/protobuf/wkt';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { isMessageOf, valuesOf } from '../field-values.ts';
import { encodeMapEntry } from './encode-map-entry.ts';
import { hasTooManyValues, tooManyValues } from './count-values.ts';
import { containsField } from '../contains-field.ts';

/**
 * Decodes the bytes of a message. An undeclared number of a closed (proto2) enum becomes an unknown field, as protobuf requires; in a
 * map, the whole entry does. The library handles only single fields this way. In lists and maps it would keep the number, which
 * would then appear in JSON.
 *
 * @param registry resolves the content of an `Any`. Content with such numbers is re-encoded without unknown fields. Without a registry
 *   it is left unchanged.
 * @throws Error when the bytes are not a valid message, or have more values than a message may have
 */
export function decodeMessage(type: DescMessage, bytes: Uint8Array, registry?: Registry): Message {
  if (hasTooManyValues(type, bytes, registry)) throw new Error(tooManyValues);
  const message = fromBinary(type, bytes);
  if (containsRepeatedClosedEnum(type)) moveUndeclaredNumbers(type, message, registry);
  return message;
}

const containsRepeatedClosedEnum = containsField((field) => closedEnumOf(field) !== undefined);

/** The closed enum of a list or map field. */
function closedEnumOf(field: DescField): DescEnum | undefined {
  const isCollection = field.fieldKind === 'list' || field.fieldKind === 'map';
  return isCollection && field.enum?.open === false ? field.enum : undefined;
}

/** Moves undeclared numbers to the unknown fields. Reports whether there were any. */
function moveUndeclaredNumbers(type: DescMessage, message: Message, registry: Registry | undefined): boolean {
  if (type.typeName === 'google.protobuf.Any') return moveAnyNumbers(message as Any, registry);
  let changed = false;
  for (const field of type.fields) {
    const closed = closedEnumOf(field);
    if (closed && moveFieldNumbers(field, closed, message)) changed = true;
    if (!field.message || !containsRepeatedClosedEnum(field.message)) continue;
    for (const value of valuesOf(field, message)) {
      if (isMessageOf(field.message, value) && moveUndeclaredNumbers(field.message, value, registry))
        changed = true;
    }
  }
  return changed;
}

function moveAnyNumbers(any: Any, registry: Registry | undefined): boolean {
  const type = registry?.getMessage(any.typeUrl.slice(any.typeUrl.lastIndexOf('/') + 1));
  const embedded = type && containsRepeatedClosedEnum(type) ? anyUnpack(any, type) : undefined;
  if (!type || !embedded || !moveUndeclaredNumbers(type, embedded, registry)) return false;
  any.value = toBinary(type, embedded, { writeUnknownFields: false });
  return true;
}

function moveFieldNumbers(field: DescField, closed: DescEnum, message: Message): boolean {
  const held = (message as Message & Record<string, unknown>)[field.localName];
  const isDeclared = (number: number): boolean => Object.hasOwn(closed.value, number);
  const unknown: UnknownField[] = [];
  if (field.fieldKind === 'list') {
    const numbers = held as number[];
    const undeclared = numbers.filter((number) => !isDeclared(number));
    if (undeclared.length === 0) return false;
    numbers.splice(0, numbers.length, ...numbers.filter(isDeclared));
    unknown.push(
      ...undeclared.map((number) => ({
        no: field.number,
        wireType: WireType.Varint,
        data: new BinaryWriter().int32(number).finish(),
      })),
    );
  } else if (field.fieldKind === 'map') {
    const numbers = held as Record<string, number>;
    for (const [key, number] of Object.entries(numbers)) {
      if (isDeclared(number)) continue;
      Reflect.deleteProperty(numbers, key);
      unknown.push({
        no: field.number,
        wireType: WireType.LengthDelimited,
        data: encodeMapEntry(field.mapKey, key, number),
      });
    }
  }
  if (unknown.length > 0) message.$unknown = [...(message.$unknown ?? []), ...unknown];
  return unknown.length > 0;
}
