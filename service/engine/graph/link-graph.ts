import type { CelCompiler } from '../cel/cel-compiler.ts';
import type { CompiledGraph } from './compiled-graph.ts';
import type { Diagnostic } from './diagnostic.ts';
import { linkCompose, type LinkedCompose } from './link-compose.ts';
import { linkEdge } from './link-edge.ts';
import type { LoadedEdge, LoadedGraph, LoadedNode } from './loaded-graph.ts';
import { takeTurns } from './turns.ts';

/** Puts a graph and its nodes together: compiles again what stands on its edges. */
export async function linkGraph(
  cel: CelCompiler,
  graph: CompiledGraph,
  nodes: ReadonlyMap<string, LoadedNode>,
): Promise<LoadedGraph> {
  const turn = takeTurns();
  const node = (id: string): LoadedNode => {
    const found = nodes.get(id);
    if (!found) throw new Error(`graph ${graph.graphId} has no node ${id}`);
    return found;
  };
  const edges: LoadedEdge[] = [];
  for (const compiled of graph.edges) {
    await turn();
    const ends = { source: node(compiled.from), target: node(compiled.to) };
    const linked = linkEdge(cel, compiled, { ...ends, composed: Object.hasOwn(graph.compose, compiled.to) });
    const evaluate = linked.ok ? linked.evaluate : () => ({ error: told(linked.problems) });
    edges.push({ compiled, evaluate });
  }
  const outgoing = Map.groupBy(edges, (edge) => edge.compiled.from);
  const incoming = Map.groupBy(edges, (edge) => edge.compiled.to);
  const composed = new Map<string, LinkedCompose>();
  for (const [id, plan] of Object.entries(graph.compose)) {
    await turn();
    const edgesHere = incoming.get(id) ?? [];
    const sources = edgesHere.map(({ compiled }) => ({ edge: compiled, types: node(compiled.from) }));
    composed.set(id, linkCompose(cel, id, plan, { target: node(id), sources }));
  }
  return {
    graph,
    node,
    outgoing: (id) => outgoing.get(id) ?? [],
    incoming: (id) => incoming.get(id) ?? [],
    compose: (id, outputs) => {
      const linked = composed.get(id);
      if (!linked) throw new Error(`node ${id} of graph ${graph.graphId} has no compose plan`);
      return linked.ok ? linked.compose(outputs) : { error: told(linked.problems) };
    },
  };
}

/** What compiled once and does not any more, after a change of this program: the runs that come there fail with it. */
export function told(problems: readonly Diagnostic[]): string {
  return problems.map(({ message }) => message).join('; ');
}
