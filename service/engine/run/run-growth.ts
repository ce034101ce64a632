import { limits } from '../../../specs/limits.ts';
import type { GraphGrowth } from '../graph/graph-growth.ts';
import type { LoadedGraph } from '../graph/loaded-graph.ts';
import { shapeOf } from './graph-shape.ts';
import type { Growth } from './next-actions.ts';
import { mutationFailed, mutationNotEnabled } from './run-texts.ts';

/** The graph of one run, which its nodes may let grow. */
export interface RunGrowth {
  /** As it stands now. */
  graph(): LoadedGraph;
  /**
   * Compiles what a step brought, then hands it over; steps that end meanwhile wait, so that each fragment is compiled against the
   * graph that it will grow. Rejects when the database does.
   *
   * @param take is given the graphs, or the text that the step fails with
   */
  add(
    node: string,
    fragments: readonly string[],
    take: (grown: readonly Growth[] | { error: string }) => void,
  ): Promise<void>;
}

export function createRunGrowth(
  { growth, tenantId }: { growth: Pick<GraphGrowth, 'compile'>; tenantId: string },
  loaded: LoadedGraph,
): RunGrowth {
  let graph = loaded;
  let last: Promise<unknown> = Promise.resolve();

  const compile = async (
    node: string,
    fragments: readonly string[],
  ): Promise<readonly Growth[] | { error: string }> => {
    if (!graph.graph.mutationEnabled) return { error: mutationFailed(node, mutationNotEnabled) };
    if (fragments.length > limits.mutationsPerCall) {
      const detail = `one call brings at most ${limits.mutationsPerCall} mutations: put more nodes and edges into each`;
      return { error: mutationFailed(node, detail) };
    }
    const grown: Growth[] = [];
    let running = graph;
    for (const text of fragments) {
      const compiled = await growth.compile(tenantId, running, text);
      if (!compiled.ok) return { error: mutationFailed(node, compiled.detail) };
      running = compiled.grown;
      grown.push({ fragment: compiled.fragment, graph: running, shape: shapeOf(running) });
    }
    return grown;
  };

  return {
    graph: () => graph,
    add: (node, fragments, take) => {
      const turn = last.then(async () => {
        const grown = await compile(node, fragments);
        if (!('error' in grown)) graph = grown.at(-1)?.graph ?? graph;
        take(grown);
      });
      last = turn.catch(() => undefined);
      return turn;
    },
  };
}
