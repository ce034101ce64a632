import type { CelCompiler } from '../cel/cel-compiler.ts';
import type { GraphFragment } from './compiled-graph.ts';
import type { Diagnostic } from './diagnostic.ts';
import { linkEdge } from './link-edge.ts';
import { told } from './link-graph.ts';
import type { LoadedEdge, LoadedGraph, LoadedNode } from './loaded-graph.ts';
import { takeTurns } from './turns.ts';

/**
 * The graph with further nodes and edges; what it had is shared with it. A compose plan goes on without what new edges bring: it
 * names the edges that it reads.
 *
 * @param added the fragment's nodes, by id
 * @returns the problems of edges that do not fit as well; a run that goes along such an edge fails with them
 */
export async function growGraph(
  cel: CelCompiler,
  base: LoadedGraph,
  { nodes, edges }: GraphFragment,
  added: ReadonlyMap<string, LoadedNode>,
): Promise<{ grown: LoadedGraph; problems: Diagnostic[] }> {
  const turn = takeTurns();
  const problems: Diagnostic[] = [];
  const all = new Map([...base.graph.nodes.map(({ id }) => [id, base.node(id)] as const), ...added]);
  const node = (id: string): LoadedNode => all.get(id) ?? base.node(id);
  const linkedEdges: LoadedEdge[] = [];
  for (const compiled of edges) {
    await turn();
    const ends = { source: node(compiled.from), target: node(compiled.to) };
    const composed = Object.hasOwn(base.graph.compose, compiled.to);
    const linked = linkEdge(cel, compiled, { ...ends, composed });
    if (!linked.ok) problems.push(...linked.problems);
    const evaluate = linked.ok ? linked.evaluate : () => ({ error: told(linked.problems) });
    linkedEdges.push({ compiled, evaluate });
  }
  const outgoing = withEdges(all, base.outgoing, linkedEdges, 'from');
  const incoming = withEdges(all, base.incoming, linkedEdges, 'to');
  return {
    problems,
    grown: {
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

/** Edges of every node: those it had, then the new ones. */
function withEdges(
  nodes: ReadonlyMap<string, LoadedNode>,
  own: (id: string) => readonly LoadedEdge[],
  added: readonly LoadedEdge[],
  end: 'from' | 'to',
): Map<string, readonly LoadedEdge[]> {
  const more = Map.groupBy(added, ({ compiled }) => compiled[end]);
  return new Map([...nodes.keys()].map((id) => [id, [...own(id), ...(more.get(id) ?? [])]]));
}
