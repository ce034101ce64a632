import type { Scalar } from '../../../specs/messages/message-model.ts';

/** A message as it was drafted in a request (SPEC.md, POST /v1/instances), checked; nested ones are named, not held. */
export interface DraftMessage {
  name: string;
  /** One line, at most 512 characters; empty when there is none. */
  description: string;
  /** In the draft's order, at least one. */
  fields: DraftField[];
}

export interface DraftField {
  name: string;
  jsonName: string;
  description: string;
  /** Messages have presence as they are, so `optional` is said of scalars alone. */
  cardinality: 'single' | 'optional' | 'repeated';
  type: { scalar: Scalar } | { message: string };
}

/** All messages of one request's drafts, each name once. */
export interface DraftSet {
  /** Outer messages before those in them, in the order of first appearance. */
  messages: DraftMessage[];
  /** Name of each draft's outermost message, by the label that the draft was given. */
  roots: Readonly<Record<string, string>>;
}
