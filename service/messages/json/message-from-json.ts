import { fromJson, toBinary } from '@bufbuild/protobuf';
import type { DescMessage, JsonValue, Message, Registry } from '@bufbuild/protobuf';
import { invalidJson, notJson, undeclaredOrdinal } from '../../errors/message-errors.ts';
import { thrownMessage } from '../../errors/thrown-message.ts';
import { converted, rejected } from '../conversion.ts';
import type { Conversion } from '../conversion.ts';
import { findUndeclaredOrdinal } from './find-undeclared-ordinal.ts';
import { resolveLargeNumbers } from './resolve-large-numbers.ts';
import { diagnoseJson } from './diagnose-json.ts';
import type { JsonProblem } from './diagnose-json.ts';
import { parseStrictJson } from './parse-strict-json.ts';
import { containsFreeJson, nestsDeeper } from './free-json.ts';
import { encodingProblem } from '../encoding-problem.ts';
import { messageType } from '../message-type.ts';
import { containsTime } from './time-json.ts';

/**
 * Reads ProtoJSON strictly. Rejects unknown fields, duplicate keys, two members of a oneof and undeclared enum ordinals. Integers
 * are exact, even when written as numbers.
 *
 * @param json text, or its UTF-8 bytes
 * @returns the message, or an error: `invalid JSON for <InputType>: <detail>`, `invalid value for <Message>: ...`
 * @throws Error when the registry does not contain `typeName`
 */
export function messageFromJson(
  registry: Registry,
  typeName: string,
  json: string | Uint8Array,
): Conversion<Message> {
  const type = messageType(registry, typeName);
  const text = typeof json === 'string' ? json : decodeUtf8(json);
  if (text === undefined) return rejected(notJson(typeName, 'the body is not UTF-8 text'));
  const parsed = parseStrictJson(text);
  if (!parsed.ok) return rejected((parsed.isJson ? invalidJson : notJson)(typeName, parsed.detail));
  const value = parsed.exact ? resolveLargeNumbers(type, parsed.value, registry) : parsed.value;
  return readValue(type, value, registry);
}

/** Like `messageFromJson`, but returns the bytes of the message. */
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
    return rejected(invalidJson(typeName, encodingProblem(error)));
  }
}

/** JSON nested to at most this depth produces fewer than 100 message levels, for any type. */
const shallowLevels = 40;

function readValue(type: DescMessage, value: unknown, registry: Registry): Conversion<Message> {
  // `fromJson` accepts and changes some invalid times, and free-form JSON whose messages are nested too deeply to be read again.
  const checkedFirst = containsTime(type) || (containsFreeJson(type) && nestsDeeper(value, shallowLevels));
  const problem = checkedFirst ? diagnoseJson(type, value, registry) : undefined;
  if (problem !== undefined) return reject(type, problem);
  let message: Message;
  try {
    message = fromJson(type, value as JsonValue, { registry });
  } catch (error) {
    const reason = thrownMessage(error);
    return reject(type, diagnoseJson(type, value, registry) ?? { detail: reason });
  }
  const ordinal = findUndeclaredOrdinal(type, message, registry);
  return ordinal === undefined ? converted(message) : rejected(undeclaredOrdinal(ordinal));
}

function reject(type: DescMessage, { detail, ordinal }: JsonProblem): Conversion<never> {
  return rejected(ordinal === undefined ? invalidJson(type.typeName, detail) : undeclaredOrdinal(ordinal));
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
