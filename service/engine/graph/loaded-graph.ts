import type { FailureKind } from '../../../specs/failure-kind.ts';
import type { CompiledEdge, CompiledGraph, CompiledNode } from './compiled-graph.ts';
import type { NodeOutput } from './node-output.ts';
import type { NodeTypes } from './node-types.ts';
import type { WorkMeter } from '../work/work-meter.ts';

/** A compiled graph ready to run: types linked, expressions compiled. Immutable and shared by runs. */
export interface LoadedGraph {
  graph: CompiledGraph;
  /** @throws Error for an unknown id. */
  node(id: string): LoadedNode;
  /** In document order. */
  outgoing: (nodeId: string) => readonly LoadedEdge[];
  incoming: (nodeId: string) => readonly LoadedEdge[];
  /**
   * Builds the input of a node with its compose plan.
   *
   * @param outputs serialized source outputs, by id of the incoming edge. Fields that read a missing edge stay unset.
   * @param meter the budget that the plan draws on
   * @throws Error for a node without a compose plan
   */
  compose: (nodeId: string, outputs: ReadonlyMap<string, Uint8Array>, meter: WorkMeter) => ComposeOutcome;
}

/** A placed node with its message types. */
export interface LoadedNode extends NodeTypes {
  compiled: CompiledNode;
  /** Replaces calls of the node. */
  mock: LoadedMock | undefined;
}

/**
 * The response of a mocked node: serialized output messages, or the message with which it fails. Only pipeline nodes
 * have `frames`; only unary nodes have `output`.
 */
export type LoadedMock =
  | { kind: 'output'; output: Uint8Array }
  | { kind: 'frames'; frames: readonly Uint8Array[] }
  | { kind: 'error'; error: string };

/** An edge whose expressions are compiled. */
export interface LoadedEdge {
  compiled: CompiledEdge;
  /**
   * Evaluates the condition, and the adapter if it holds. All edges of a step are evaluated on the same output, and share its
   * budget.
   */
  evaluate: (output: NodeOutput) => EdgeOutcome;
}

/**
 * The result of evaluating an edge. `input` is the serialized input of the target. It is absent if the condition is
 * false, or if the target has a compose plan, which reads the source output itself. `error` is the complete error
 * text. With an error, `pass` reports whether the condition had passed.
 */
export type EdgeOutcome =
  | { pass: boolean; input?: Uint8Array; adapterApplied: boolean }
  | { pass: boolean; error: string; kind: Extract<FailureKind, 'EDGE_ADAPTER' | 'EDGE_CONDITION'> };

/** The serialized input that a compose plan builds, or the complete error text of the run. */
export type ComposeOutcome = { input: Uint8Array } | { error: string };
