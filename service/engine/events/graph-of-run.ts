import type { Database } from '../../store/database.ts';
import { journalPages } from '../../store/journal.ts';
import type { GraphFragment } from '../graph/compiled-graph.ts';
import type { GraphMutations } from '../graph/mutation/graph-mutations.ts';
import type { GraphLoader } from '../graph/load/load-graph.ts';
import type { LoadedGraph } from '../graph/loaded-graph.ts';
import { decodeEntries } from '../journal/codec.ts';

interface GraphOfRunOptions {
  db: Database;
  graphs: GraphLoader;
  mutations: Pick<GraphMutations, 'apply'>;
}

/** A run's root execution. */
interface RunOfGraph {
  tenantId: string;
  executionId: string;
  graphId: string;
  mutationEnabled: boolean;
}

/**
 * Returns the graph of a run with all its mutations so far. If the flow allows mutations, this decodes the whole
 * journal of the run.
 */
export async function graphOfRun(
  { db, graphs, mutations }: GraphOfRunOptions,
  { tenantId, executionId, graphId, mutationEnabled }: RunOfGraph,
): Promise<LoadedGraph | undefined> {
  const graph = await graphs.load(tenantId, graphId);
  if (!graph || !mutationEnabled) return graph;
  const fragments: GraphFragment[] = [];
  for await (const rows of journalPages(db, { tenantId, executionId })) {
    for (const entry of rows.flatMap(({ body }) => decodeEntries(body))) {
      if (entry.type === 'GRAPH_MUTATED') fragments.push({ nodes: entry.nodes, edges: entry.edges });
    }
  }
  return mutations.apply(graph, fragments);
}
