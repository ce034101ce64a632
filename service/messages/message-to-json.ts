import type { Registry } from '@bufbuild/protobuf';
import { undecodableMessage } from '../errors/message-errors.ts';
import { converted, refused } from './conversion.ts';
import type { Conversion } from './conversion.ts';
import { messageType } from './message-type.ts';
import { protoJson } from './proto-json.ts';
import { readMessage } from './read-message.ts';
import { stringifyExactly } from './stringify-exactly.ts';

/**
 * ProtoJSON text of a message in bytes: default values left out, enum numbers without a name as numbers (left out where the enum is
 * closed, as all unknown fields are), 64 bit integers as strings, floats of 32 bits with no more digits than they need.
 *
 * @returns the text, or `undecodable` when the bytes are not the message, or hold what has no JSON form (an `Any` of a type
 * that the package does not know, a Timestamp out of range).
 * @throws Error when the registry has no message `typeName`.
 */
export function jsonFromBytes(registry: Registry, typeName: string, bytes: Uint8Array): Conversion<string> {
  const type = messageType(registry, typeName);
  try {
    const message = readMessage(type, bytes, registry);
    return converted(stringifyExactly(protoJson(type, message, registry)));
  } catch (error) {
    return refused(undecodableMessage(typeName, error instanceof Error ? error.message : String(error)));
  }
}
