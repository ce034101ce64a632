import type { Database } from '../../store/database.ts';
import { journalPage, readJournal } from '../../store/journal.ts';
import type { GraphFragment } from '../graph/compiled-graph.ts';
import type { GraphGrowth } from '../graph/graph-growth.ts';
import type { GraphLoader } from '../graph/load-graph.ts';
import type { LoadedGraph } from '../graph/loaded-graph.ts';
import { decodeEntries } from '../run/journal-codec.ts';

export interface GraphOfRunOptions {
  db: Database;
  graphs: GraphLoader;
  growth: Pick<GraphGrowth, 'grow'>;
}

/** The run itself, not a branch of it. */
export interface RunOfGraph {
  tenantId: string;
  executionId: string;
  graphId: string;
  mutationEnabled: boolean;
}

/** The graph of a run with all that its nodes have added so far: by it every message of its history can be read. */
export async function graphOfRun(
  { db, graphs, growth }: GraphOfRunOptions,
  { tenantId, executionId, graphId, mutationEnabled }: RunOfGraph,
): Promise<LoadedGraph | undefined> {
  const graph = await graphs.load(tenantId, graphId);
  if (!graph || !mutationEnabled) return graph;
  const fragments: GraphFragment[] = [];
  for (let seq = 0; ; seq += journalPage) {
    const rows = await readJournal(db, tenantId, executionId, seq);
    for (const entry of rows.flatMap(({ body }) => decodeEntries(body))) {
      if (entry.type === 'GRAPH_MUTATED') fragments.push({ nodes: entry.nodes, edges: entry.edges });
    }
    if (rows.length < journalPage) return growth.grow(graph, fragments);
  }
}
