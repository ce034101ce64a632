import { fromBinary, type Registry } from '@bufbuild/protobuf';
import { undecodableMessage } from '../../errors/message-errors.ts';
import { thrownMessage } from '../../errors/thrown-message.ts';
import { type Conversion, converted, rejected } from '../conversion.ts';
import { messageType } from '../message-type.ts';
import { hasTooManyValues } from './count-values.ts';

/**
 * Checks that bytes can be read as a message. Unlike in a payload, undeclared fields are allowed: a container
 * may be newer than the publication. A message with too many values is not read, and counts as valid.
 *
 * @returns the same bytes, or `undecodable`
 * @throws Error when the registry does not contain `typeName`
 */
export function checkOutput(registry: Registry, typeName: string, bytes: Uint8Array): Conversion<Uint8Array> {
  const type = messageType(registry, typeName);
  if (hasTooManyValues(type, bytes, registry)) return converted(bytes);
  try {
    fromBinary(type, bytes);
    return converted(bytes);
  } catch (error) {
    return rejected(undecodableMessage(typeName, thrownMessage(error)));
  }
}
