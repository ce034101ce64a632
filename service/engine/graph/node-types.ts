import type { DescMessage } from '@bufbuild/protobuf';
import { messageType } from '../../messages/message-type.ts';
import type { MessageRegistry } from '../../messages/registry.ts';
import type { CompiledNode } from './compiled-graph.ts';

/** Message types of a placed node, as its own package version declares them. */
export interface NodeTypes {
  /** `<handle>/<package> <version>` */
  origin: string;
  registry: MessageRegistry;
  input: DescMessage;
  output: DescMessage;
}

/**
 * Returns the message types of a node.
 *
 * @throws Error if the registry lacks a message of the node
 */
export function nodeTypes(
  { packageName, version, inputMessage, outputMessage }: CompiledNode,
  registry: MessageRegistry,
): NodeTypes {
  return {
    origin: `${packageName} ${version}`,
    registry,
    input: messageType(registry, inputMessage),
    output: messageType(registry, outputMessage),
  };
}
