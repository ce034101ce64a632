import type { CelCompiler } from '../../cel/cel-compiler.ts';
import type { CompiledGraph } from '../compiled-graph.ts';
import { diagnosticText } from '../diagnostic.ts';
import { linkCompose, type LinkedCompose } from '../link/link-compose.ts';
import { linkEdge } from '../link/link-edge.ts';
import type { LoadedEdge, LoadedGraph, LoadedNode } from '../loaded-graph.ts';
import { inTurns, loopTurns } from '../../../work/turn-budget.ts';

/**
 * Links a compiled graph to the types of its nodes. An expression that compiled once may fail to compile after an upgrade of the
 * service. Runs that evaluate it then fail with its diagnostics.
 */
export async function linkGraph(
  cel: CelCompiler,
  graph: CompiledGraph,
  nodes: ReadonlyMap<string, LoadedNode>,
): Promise<LoadedGraph> {
  const node = (id: string): LoadedNode => {
    const found = nodes.get(id);
    if (!found) throw new Error(`graph ${graph.graphId} has no node ${id}`);
    return found;
  };
  const edges: LoadedEdge[] = [];
  for (const compiled of graph.edges) {
    await loopTurns.yieldIfSpent();
    const ends = { source: node(compiled.from), target: node(compiled.to) };
    const composed = Object.hasOwn(graph.compose, compiled.to);
    const linked = await inTurns(linkEdge(cel, compiled, { ...ends, composed }));
    edges.push({ compiled, evaluate: linked.evaluate });
  }
  const outgoing = Map.groupBy(edges, (edge) => edge.compiled.from);
  const incoming = Map.groupBy(edges, (edge) => edge.compiled.to);
  const composed = new Map<string, LinkedCompose>();
  for (const [id, plan] of Object.entries(graph.compose)) {
    await loopTurns.yieldIfSpent();
    const incomingEdges = incoming.get(id) ?? [];
    const sources = incomingEdges.map(({ compiled }) => ({ edge: compiled, types: node(compiled.from) }));
    composed.set(id, await inTurns(linkCompose(cel, id, plan, { target: node(id), sources })));
  }
  return {
    graph,
    node,
    outgoing: (id) => outgoing.get(id) ?? [],
    incoming: (id) => incoming.get(id) ?? [],
    compose: (id, outputs, meter) => {
      const linked = composed.get(id);
      if (!linked) throw new Error(`node ${id} of graph ${graph.graphId} has no compose plan`);
      return linked.ok ? linked.compose(outputs, meter) : { error: diagnosticText(linked.problems) };
    },
  };
}
