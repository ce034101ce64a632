import { inTurns, loopTurns } from '../../../work/turn-budget.ts';
import type { CelCompiler } from '../../cel/cel-compiler.ts';
import type { GraphFragment } from '../compiled-graph.ts';
import type { Diagnostic } from '../diagnostic.ts';
import { linkEdge } from '../link/link-edge.ts';
import type { LoadedEdge, LoadedGraph, LoadedNode } from '../loaded-graph.ts';

/** The result of applying a mutation. The graph before the mutation is unchanged. */
export interface AppliedMutation {
  graph: LoadedGraph;
  /** Edges that do not type-check. A run that follows such an edge fails with its diagnostics. */
  problems: Diagnostic[];
}

/**
 * Adds nodes and edges to a loaded graph. The result shares the existing parts. Compose plans name the edges that they read, so new
 * edges do not change them.
 *
 * @param added loaded nodes of the fragment, by id
 */
export async function applyMutation(
  cel: CelCompiler,
  base: LoadedGraph,
  { nodes, edges }: GraphFragment,
  added: ReadonlyMap<string, LoadedNode>,
): Promise<AppliedMutation> {
  const problems: Diagnostic[] = [];
  const all = new Map([...base.graph.nodes.map(({ id }) => [id, base.node(id)] as const), ...added]);
  const node = (id: string): LoadedNode => all.get(id) ?? base.node(id);
  const linkedEdges: LoadedEdge[] = [];
  for (const compiled of edges) {
    // Many runs may resume at the same time and share a turn of the event loop.
    await loopTurns.yieldIfSpent();
    const ends = { source: node(compiled.from), target: node(compiled.to) };
    const composed = Object.hasOwn(base.graph.compose, compiled.to);
    const linked = await inTurns(linkEdge(cel, compiled, { ...ends, composed }));
    if (!linked.ok) problems.push(...linked.problems);
    linkedEdges.push({ compiled, evaluate: linked.evaluate });
  }
  const outgoing = withEdges(all, base.outgoing, linkedEdges, 'from');
  const incoming = withEdges(all, base.incoming, linkedEdges, 'to');
  return {
    problems,
    graph: {
      graph: {
        ...base.graph,
        nodes: [...base.graph.nodes, ...nodes],
        edges: [...base.graph.edges, ...edges],
      },
      node,
      outgoing: (id) => outgoing.get(id) ?? [],
      incoming: (id) => incoming.get(id) ?? [],
      compose: base.compose,
    },
  };
}

/** Edges by node: the existing ones first, then the added ones. */
function withEdges(
  nodes: ReadonlyMap<string, LoadedNode>,
  existing: (id: string) => readonly LoadedEdge[],
  added: readonly LoadedEdge[],
  end: 'from' | 'to',
): Map<string, readonly LoadedEdge[]> {
  const addedByNode = Map.groupBy(added, ({ compiled }) => compiled[end]);
  return new Map([...nodes.keys()].map((id) => [id, [...existing(id), ...(addedByNode.get(id) ?? [])]]));
}
