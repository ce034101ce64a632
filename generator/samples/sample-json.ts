import type { FieldModel, MessageModel } from '../../specs/messages/message-model.ts';
import type { JsonValue } from '../model/sdk-model.ts';

/** Readers of ProtoJSON samples: each accepts any value and ignores inherited properties. */

/** Returns the entries of an object; empty for any other value. */
export function entriesOf(value: JsonValue): [string, JsonValue][] {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
}

/** A field of a message with its value in a sample. */
export interface GivenField {
  field: FieldModel;
  value: JsonValue;
}

/**
 * Returns the fields of a message that a sample sets, under either of their names, in the order of the message. The
 * JSON name of one field takes precedence over the equal proto name of another.
 */
export function givenFields({ fields }: MessageModel, sample: JsonValue): GivenField[] {
  const isJsonName = (name: string): boolean => fields.some(({ jsonName }) => jsonName === name);
  return fields.flatMap((field) => {
    const own = ownProperty(sample, field.jsonName);
    const value = own === undefined && !isJsonName(field.name) ? ownProperty(sample, field.name) : own;
    return value === undefined ? [] : [{ field, value }];
  });
}

/** Returns an own property of an object. */
function ownProperty(value: JsonValue, key: string): JsonValue | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.hasOwn(value, key)
    ? value[key]
    : undefined;
}

/** Returns the bytes of base64, in either alphabet. */
export function bytesOf(text: string): Uint8Array {
  const standard = text.replaceAll('-', '+').replaceAll('_', '/');
  return Uint8Array.from(atob(standard), (character) => character.charCodeAt(0));
}

/** Returns the text of a JSON string, or the digits of a number. */
export function textOf(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Returns the nanoseconds of the fraction of a second, as digits: `5` is `500000000`. */
export function nanosOf(fraction: string): string {
  return String(Number(fraction.padEnd(9, '0').slice(0, 9)));
}
