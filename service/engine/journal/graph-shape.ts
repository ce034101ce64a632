import type { CompiledNode } from '../graph/compiled-graph.ts';
import type { LoadedEdge, LoadedGraph } from '../graph/loaded-graph.ts';
import type { FoldedGraph } from './fold.ts';

/** The topology of a graph, computed once. */
export interface GraphShape extends FoldedGraph {
  entry: string;
  compiled(node: string): CompiledNode;
  /** Reports whether a path of one or more edges connects two nodes. */
  reaches(from: string, to: string): boolean;
  /** Returns the nearest join downstream of a node. */
  nextJoin(node: string): CompiledNode | undefined;
}

/** Returns the shape of a graph. Reachability is computed on first use. A mutated graph has a shape of its own. */
export function shapeOf(loaded: LoadedGraph): GraphShape {
  const { graph } = loaded;
  const nodes = new Map(graph.nodes.map((node) => [node.id, node]));
  const targets = new Map(graph.edges.map((edge) => [edge.id, edge.to]));
  const reached = new Map<string, ReadonlySet<string>>();
  const targetsOf = (node: string): string[] => loaded.outgoing(node).map((edge) => edge.compiled.to);

  const compiled = (id: string): CompiledNode => {
    const node = nodes.get(id);
    if (!node) throw new Error(`graph ${graph.graphId} has no node "${id}"`);
    return node;
  };

  /** Nearest first. */
  const reachedFrom = (node: string): ReadonlySet<string> => {
    const known = reached.get(node);
    if (known) return known;
    const found = new Set(targetsOf(node));
    for (const each of found) for (const next of targetsOf(each)) found.add(next);
    reached.set(node, found);
    return found;
  };

  return {
    entry: graph.entry,
    terminal: graph.terminal,
    compiled,
    targetOf: (edge) => {
      const target = targets.get(edge);
      if (target === undefined) throw new Error(`graph ${graph.graphId} has no edge "${edge}"`);
      return target;
    },
    reaches: (from, to) => reachedFrom(from).has(to),
    nextJoin: (node) => {
      for (const each of reachedFrom(node)) {
        const found = compiled(each);
        if (found.join) return found;
      }
      return undefined;
    },
  };
}

/** Returns the edges into a node in document order, which is the order for merging the inputs of a join. */
export function incomingIds(loaded: LoadedGraph, node: string): string[] {
  return loaded.incoming(node).map((edge: LoadedEdge) => edge.compiled.id);
}
