import type { DescMessage, Registry } from '@bufbuild/protobuf';

/**
 * The descriptor of a message that must be there: publishing checked that every node's types are.
 *
 * @throws Error when it is not, a fault of ours and not of the caller's payload.
 */
export function messageType(registry: Registry, typeName: string): DescMessage {
  const type = registry.getMessage(typeName);
  if (type === undefined) throw new Error(`the registry has no message ${typeName}`);
  return type;
}
