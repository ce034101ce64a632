import type { GraphMutations } from '../graph/mutation/graph-mutations.ts';
import type { LoadedGraph } from '../graph/loaded-graph.ts';
import { type GraphShape, shapeOf } from '../journal/graph-shape.ts';
import type { RunState } from '../journal/state.ts';

interface ShapedGraph {
  graph: LoadedGraph;
  shape: GraphShape;
}

/**
 * Returns the graph of a run in a given state, with the mutations so far. The journal stores mutations in compiled
 * form, so their meaning does not change.
 */
export async function graphOfState(
  mutations: Pick<GraphMutations, 'apply'>,
  { graph, shape }: ShapedGraph,
  state: RunState,
): Promise<ShapedGraph> {
  if (state.mutations.length === 0) return { graph, shape };
  const mutated = await mutations.apply(graph, state.mutations);
  return { graph: mutated, shape: shapeOf(mutated) };
}
