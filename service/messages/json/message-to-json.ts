import type { Registry } from '@bufbuild/protobuf';
import { undecodableMessage } from '../../errors/message-errors.ts';
import { thrownMessage } from '../../errors/thrown-message.ts';
import { converted, rejected } from '../conversion.ts';
import type { Conversion } from '../conversion.ts';
import { messageType } from '../message-type.ts';
import { toProtoJson } from './to-proto-json.ts';
import { decodeMessage } from '../wire/decode-message.ts';
import { stringifyJson } from './stringify-json.ts';

/**
 * Converts the bytes of a message to ProtoJSON text. Default values are omitted. Unknown numbers of open enums stay numbers;
 * unknown numbers of closed enums are omitted, like all unknown fields. 64-bit integers are strings. 32-bit floats have the
 * fewest digits that identify them.
 *
 * @returns the text, or `undecodable` when the bytes are not a valid message or have no JSON form, such as an `Any` of an unknown type
 *   or a Timestamp out of range
 * @throws Error when the registry does not contain `typeName`
 */
export function jsonFromBytes(registry: Registry, typeName: string, bytes: Uint8Array): Conversion<string> {
  const type = messageType(registry, typeName);
  try {
    const message = decodeMessage(type, bytes, registry);
    return converted(stringifyJson(toProtoJson(type, message, registry)));
  } catch (error) {
    return rejected(undecodableMessage(typeName, thrownMessage(error)));
  }
}
