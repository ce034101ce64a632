import type { DescMessage, Registry } from '@bufbuild/protobuf';

/**
 * Returns the descriptor of a message. Publishing guarantees that the message types of every node exist.
 *
 * @throws Error when the registry does not contain the message, which is a bug in the service.
 */
export function messageType(registry: Registry, typeName: string): DescMessage {
  const type = registry.getMessage(typeName);
  if (type === undefined) throw new Error(`the registry has no message ${typeName}`);
  return type;
}
