import { fromBinary, toBinary } from '@bufbuild/protobuf';
import type { DescEnum, DescField, DescMessage, Message, Registry, UnknownField } from '@bufbuild/protobuf';
import { type Any, anyUnpack } from '@bufbuild/protobuf/wkt';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { isMessageOf, valuesOf } from './field-values.ts';
import { mapEntry } from './map-entry.ts';
import { createReach } from './reaches.ts';

/**
 * Reads the bytes of a message. What a closed enum (those of proto2) does not declare is an unknown field, as protobuf has it: in
 * a map the whole entry. The library does so for single fields; a list or a map would keep the number, and JSON show it.
 *
 * @param registry types that an `Any` may hold; what such a one holds is then without any unknown fields, as JSON is. Otherwise it is
 *   left as it came.
 * @throws Error when the bytes are not the message
 */
export function readMessage(type: DescMessage, bytes: Uint8Array, registry?: Registry): Message {
  const message = fromBinary(type, bytes);
  if (reachesMany(type)) settle(type, message, registry);
  return message;
}

/** So that messages without lists and maps of closed enums cost nothing. */
const reachesMany = createReach((field) => closedEnumOf(field) !== undefined);

/** Of a list or a map. */
function closedEnumOf(field: DescField): DescEnum | undefined {
  const many = field.fieldKind === 'list' || field.fieldKind === 'map';
  return many && field.enum?.open === false ? field.enum : undefined;
}

/** @returns whether anything had to become an unknown field */
function settle(type: DescMessage, message: Message, registry: Registry | undefined): boolean {
  if (type.typeName === 'google.protobuf.Any') return settleAny(message as Any, registry);
  let changed = false;
  for (const field of type.fields) {
    const closed = closedEnumOf(field);
    if (closed && settleField(field, closed, message)) changed = true;
    if (!field.message || !reachesMany(field.message)) continue;
    for (const held of valuesOf(field, message)) {
      if (isMessageOf(field.message, held) && settle(field.message, held, registry)) changed = true;
    }
  }
  return changed;
}

function settleAny(any: Any, registry: Registry | undefined): boolean {
  const type = registry?.getMessage(any.typeUrl.slice(any.typeUrl.lastIndexOf('/') + 1));
  const embedded = type && reachesMany(type) ? anyUnpack(any, type) : undefined;
  if (!type || !embedded || !settle(type, embedded, registry)) return false;
  any.value = toBinary(type, embedded, { writeUnknownFields: false });
  return true;
}

function settleField(field: DescField, closed: DescEnum, message: Message): boolean {
  const held = (message as Message & Record<string, unknown>)[field.localName];
  const isDeclared = (number: number): boolean => Object.hasOwn(closed.value, number);
  const unknown: UnknownField[] = [];
  if (field.fieldKind === 'list') {
    const numbers = held as number[];
    const left = numbers.filter((number) => !isDeclared(number));
    if (left.length === 0) return false;
    numbers.splice(0, numbers.length, ...numbers.filter(isDeclared));
    unknown.push(
      ...left.map((number) => ({
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
        data: mapEntry(field.mapKey, key, number),
      });
    }
  }
  if (unknown.length > 0) message.$unknown = [...(message.$unknown ?? []), ...unknown];
  return unknown.length > 0;
}
