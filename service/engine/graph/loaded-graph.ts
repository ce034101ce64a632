import type { CompiledEdge, CompiledGraph, CompiledNode } from './compiled-graph.ts';
import type { NodeTypes } from './node-types.ts';

/** A compiled graph with everything that a run evaluates ready: types linked, expressions compiled. Immutable, shared by runs. */
export interface LoadedGraph {
  graph: CompiledGraph;
  /** @throws Error for an id that the graph does not have. */
  node(id: string): LoadedNode;
  /** In the document's order. */
  outgoing: (nodeId: string) => readonly LoadedEdge[];
  incoming: (nodeId: string) => readonly LoadedEdge[];
  /**
   * Makes the input of a node by its compose plan.
   *
   * @param outputs serialized output of the source, by id of the incoming edge; an edge that did not pass is left out, and so
   *   are the fields that read it
   * @throws Error for a node without a compose plan
   */
  compose: (nodeId: string, outputs: ReadonlyMap<string, Uint8Array>) => ComposeOutcome;
}

export interface LoadedNode extends NodeTypes {
  compiled: CompiledNode;
  /** What answers instead of the node. */
  mock: LoadedMock | undefined;
}

export type LoadedMock =
  | { kind: 'output'; output: Uint8Array }
  | { kind: 'frames'; frames: readonly Uint8Array[] }
  | { kind: 'error'; error: string };

export interface LoadedEdge {
  compiled: CompiledEdge;
  /** @param source serialized output of the edge's source */
  evaluate(source: Uint8Array): EdgeOutcome;
}

/**
 * What an edge came to. `input` is the serialized input of its target; absent where the condition did not hold, and where the
 * target has a compose plan, which reads the source's output itself. `error` is the finished text of SPEC.md ("Flow run errors").
 */
export type EdgeOutcome = { pass: boolean; input?: Uint8Array; adapterApplied: boolean } | { error: string };

export type ComposeOutcome = { input: Uint8Array } | { error: string };
