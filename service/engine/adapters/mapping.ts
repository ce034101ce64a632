import type { DescMessage } from '@bufbuild/protobuf';
import type { MessageRegistry } from '../../messages/registry.ts';
import type { Outcome } from '../outcome.ts';
import type { Work } from '../transforms/transform.ts';

/** A message type with the registry of the package version that declares it. Another version may declare the name differently. */
export interface MessageEnd {
  type: DescMessage;
  registry: MessageRegistry;
}

/** Sources by edge id, and the target. Expressions may omit the edge id of a single source. */
export interface MappingTypes {
  sources: ReadonlyMap<string, MessageEnd>;
  target: MessageEnd;
}

/** One field of the target and the expression that fills it. */
export interface Binding {
  /** Path of the field: `customer.name`. */
  field: string;
  expression: string;
  /** The edge read by picks that have no edge id. Defaults to the only source. */
  edge?: string;
}

/** The sources that a run of a mapping reads, and the meter that it spends from. */
type MappingRun = Omit<Work, 'registry'>;

/** A compiled mapping. Immutable and reusable. */
export interface FieldMapping {
  /**
   * Builds the target message from the sources. Fields whose expressions read a missing source stay unset. All fields draw on one
   * meter.
   *
   * @returns the serialized target, or the detail of the first expression that fails, in order of field depth
   */
  run(work: MappingRun): Outcome<Uint8Array>;
  /** Like `run`, but yields after each field so that callers can interleave other work. */
  steps(work: MappingRun): Generator<undefined, Outcome<Uint8Array>>;
}

/** A compile error of a mapping. `detail` follows `adapter: ` or `EvaluateEdge adapter: `. */
export interface MappingProblem {
  field: string;
  detail: string;
}

/** A mapping that compiles, or every problem of one that does not. */
export type CompiledMapping = { ok: true; mapping: FieldMapping } | { ok: false; problems: MappingProblem[] };
