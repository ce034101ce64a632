import type { Scalar } from '../../../specs/messages/message-model.ts';

/** A validated message draft of a request. It refers to nested messages by name. */
export interface DraftMessage {
  name: string;
  /** One line of at most 512 characters, possibly empty. */
  description: string;
  /** In draft order, at least one. */
  fields: DraftField[];
}

/** A field of a drafted message. Its number follows from its place. */
export interface DraftField {
  /** Proto name, unique in its message. */
  name: string;
  jsonName: string;
  /** One line of at most 512 characters, possibly empty. */
  description: string;
  /** Only scalars are `optional`: messages always have presence. */
  cardinality: 'single' | 'optional' | 'repeated';
  type: { scalar: Scalar } | { message: string };
}

/** All messages that the drafts of a request define, with unique names. */
export interface DraftSet {
  /** In order of first appearance, outer messages before nested ones. */
  messages: DraftMessage[];
  /** Name of the outermost message of each draft, by label. */
  roots: Readonly<Record<string, string>>;
}
