import type { DescMessage } from '@bufbuild/protobuf';
import type { MessageRegistry } from '../../messages/registry.ts';
import type { Outcome } from '../outcome.ts';
import type { Sources } from '../transforms/transform.ts';

/** A message type as its own package version declares it; the same name may mean another type elsewhere. */
export interface MessageEnd {
  type: DescMessage;
  registry: MessageRegistry;
}

/** What expressions may read, by edge id, and what they fill. A single source needs no name in expressions. */
export interface MappingTypes {
  sources: ReadonlyMap<string, MessageEnd>;
  target: MessageEnd;
}

/** One field of the target and the expression that fills it. */
export interface Binding {
  /** Path of the field: `customer.name`. */
  field: string;
  expression: string;
  /** Edge whose message unnamed picks read; the only source where there is one. */
  edge?: string;
}

/** Expressions by field path, compiled: immutable, may be run any number of times. */
export interface FieldMapping {
  /**
   * Makes the target of messages of the sources. Sources that are left out leave the fields unset whose expressions read them.
   *
   * @returns the serialized target, or the detail of the first expression that failed, by order of field depth.
   */
  run(sources: Sources): Outcome<Uint8Array>;
  /** The same field by field, for whoever has to do other things in between. */
  steps(sources: Sources): Generator<undefined, Outcome<Uint8Array>>;
}

/** Something about a mapping that does not compile; `detail` stands behind `adapter: ` or `EvaluateEdge adapter: `. */
export interface MappingProblem {
  field: string;
  detail: string;
}

export type CompiledMapping = { ok: true; mapping: FieldMapping } | { ok: false; problems: MappingProblem[] };
