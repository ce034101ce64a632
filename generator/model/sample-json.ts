import type { FieldModel, MessageModel } from '../../specs/messages/message-model.ts';
import type { JsonValue } from './sdk-model.ts';

/** What languages read of the ProtoJSON samples that they write as programs: each reads any value, and nothing it inherits. */

/** The entries of an object, none of anything else. */
export function entriesOf(value: JsonValue): [string, JsonValue][] {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
}

/** A field of a message with what a sample gives it. */
export interface GivenField {
  field: FieldModel;
  value: JsonValue;
}

/**
 * The fields of a message that a sample gives, under either of their names, in the order of the message. What is one field's
 * JSON name is that field's, whatever else is called so in the proto.
 */
export function givenFields({ fields }: MessageModel, sample: JsonValue): GivenField[] {
  const jsonNames = new Set(fields.map(({ jsonName }) => jsonName));
  return fields.flatMap((field) => {
    const own = ownProperty(sample, field.jsonName);
    const value = own !== undefined || jsonNames.has(field.name) ? own : ownProperty(sample, field.name);
    return value === undefined ? [] : [{ field, value }];
  });
}

/** A property that the object has itself. */
function ownProperty(value: JsonValue, key: string): JsonValue | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.hasOwn(value, key)
    ? value[key]
    : undefined;
}

/** The bytes of base64, in either alphabet. */
export function bytesOf(text: string): Uint8Array {
  const standard = text.replaceAll('-', '+').replaceAll('_', '/');
  return Uint8Array.from(atob(standard), (character) => character.charCodeAt(0));
}

/** The text of a JSON string; a number as its digits. */
export function textOf(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Digits of the nanoseconds that the fraction of a second is: `5` is `500000000`. */
export function nanosOf(fraction: string): string {
  return String(Number(fraction.padEnd(9, '0').slice(0, 9)));
}
