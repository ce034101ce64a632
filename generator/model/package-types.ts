import type { TypeModel } from '../../specs/messages/message-model.ts';

/** A package as the authors of its handlers see it. */
export interface PackageTypes {
  /** `<handle>/<name>` */
  name: string;
  version: string;
  /** In the order of package.yaml. */
  nodes: readonly NodePorts[];
  /** All messages that the sources declare, and the types that they reach. */
  types: TypeModel;
  /** `google.protobuf.FileDescriptorSet`, with the files that the sources import. */
  descriptorSet: Uint8Array;
}

/** A node with its messages. */
export interface NodePorts {
  name: string;
  mode: 'unary' | 'pipeline';
  /** Full names; absent for an open port of a generic node. */
  input?: string | undefined;
  output?: string | undefined;
  /** Untrusted text. */
  description: string;
}
