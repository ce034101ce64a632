import { fromJson, toBinary } from '@bufbuild/protobuf';
import type { DescMessage, JsonValue, Message, Registry } from '@bufbuild/protobuf';
import { invalidJson, undeclaredOrdinal } from '../errors/message-errors.ts';
import { converted, refused } from './conversion.ts';
import type { Conversion } from './conversion.ts';
import { findUndeclaredOrdinal } from './enum-ordinals.ts';
import { settleNumbers } from './settle-numbers.ts';
import { explainJson } from './explain-json.ts';
import type { Explanation } from './explain-json.ts';
import { parseJsonText } from './json-text.ts';
import { messageType } from './message-type.ts';
import { reachesTime } from './time-json.ts';

/**
 * Reads ProtoJSON strictly: unknown fields, duplicate keys, two members of a oneof and undeclared enum ordinals are refused;
 * integers are exact, as numbers too.
 *
 * @param json text, or its UTF-8 bytes as they were received.
 * @returns the message, or the refusal in SPEC.md's words (`invalid JSON for <InputType>: <detail>`, `invalid value for ...`).
 * @throws Error when the registry has no message `typeName`.
 */
export function messageFromJson(
  registry: Registry,
  typeName: string,
  json: string | Uint8Array,
): Conversion<Message> {
  const type = messageType(registry, typeName);
  const text = typeof json === 'string' ? json : decodeUtf8(json);
  if (text === undefined) return refused(invalidJson(typeName, 'the body is not UTF-8 text'));
  const parsed = parseJsonText(text);
  if (!parsed.ok) return refused(invalidJson(typeName, parsed.detail));
  const value = parsed.exact ? settleNumbers(type, parsed.value, registry) : parsed.value;
  return readValue(type, value, registry);
}

/** As `messageFromJson`, to the bytes of the message. */
export function bytesFromJson(
  registry: Registry,
  typeName: string,
  json: string | Uint8Array,
): Conversion<Uint8Array> {
  const read = messageFromJson(registry, typeName, json);
  if (!read.ok) return read;
  try {
    return converted(toBinary(messageType(registry, typeName), read.value));
  } catch (error) {
    // A `required` field of proto2 that was left out.
    return refused(invalidJson(typeName, error instanceof Error ? error.message : String(error)));
  }
}

function readValue(type: DescMessage, value: unknown, registry: Registry): Conversion<Message> {
  const early = reachesTime(type) ? explainJson(type, value, registry) : undefined;
  if (early !== undefined) return refuse(type, early);
  let message: Message;
  try {
    message = fromJson(type, value as JsonValue, { registry });
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    return refuse(type, explainJson(type, value, registry) ?? { detail: words });
  }
  const ordinal = findUndeclaredOrdinal(type, message, registry);
  return ordinal === undefined ? converted(message) : refused(undeclaredOrdinal(ordinal));
}

function refuse(type: DescMessage, { detail, ordinal }: Explanation): Conversion<never> {
  return refused(ordinal === undefined ? invalidJson(type.typeName, detail) : undeclaredOrdinal(ordinal));
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
