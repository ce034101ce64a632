import type { PublishBody } from '../../../specs/operations/package-shapes.ts';
import type { MessageRegistry } from '../../messages/registry.ts';
import type { Node } from '../../store/nodes.ts';

/** What a container of a package version must serve. */
export interface PublishedContent {
  /** `<handle>/<name>` */
  name: string;
  version: string;
  nodes: readonly PublishedPorts[];
  registry: MessageRegistry;
}

/** A node with its messages; `null` for an open port of a generic node. */
export type PublishedPorts = Pick<Node, 'name' | 'mode' | 'inputMessage' | 'outputMessage'>;

/** Returns the content of a publication that is not stored yet. */
export function contentOf(
  { name, version, nodes }: PublishBody,
  registry: MessageRegistry,
): PublishedContent {
  const ports = nodes.map((node) => ({
    name: node.name,
    mode: node.mode,
    inputMessage: node.input ?? null,
    outputMessage: node.output ?? null,
  }));
  return { name, version, nodes: ports, registry };
}
