import type { Execution } from '../../store/executions.ts';
import type { Database } from '../../store/database.ts';
import type { Pause } from '../../store/pauses.ts';
import { graphOfRun } from '../events/graph-of-run.ts';
import type { GraphLoader } from '../graph/load/load-graph.ts';
import type { LoadedNode } from '../graph/loaded-graph.ts';
import type { GraphMutations } from '../graph/mutation/graph-mutations.ts';

/** Dependencies for loading the graph of a paused run, with its mutations. */
export interface PausedNodeOptions {
  db: Database;
  graphs: GraphLoader;
  mutations: Pick<GraphMutations, 'apply'>;
}

/**
 * Returns the node that asks, the name of the flow, and the secrets of its nodes. A mutation of the run's graph may
 * have added the node.
 */
export async function nodeOfPause(
  options: PausedNodeOptions,
  { tenantId, executionId, node }: Pick<Pause, 'tenantId' | 'executionId' | 'node'>,
  { graphId, mutationEnabled }: Pick<Execution, 'graphId' | 'mutationEnabled'>,
): Promise<{ node: LoadedNode; flow: string; requiredSecrets: string[] }> {
  if (graphId === null) throw new Error(`execution ${executionId} is no run`);
  const graph = await graphOfRun(options, { tenantId, executionId, graphId, mutationEnabled });
  if (!graph) throw new Error(`graph ${graphId} of execution ${executionId} does not exist`);
  const requiredSecrets = new Set(graph.graph.nodes.flatMap((one) => one.requiredSecrets));
  return { node: graph.node(node), flow: graph.graph.name, requiredSecrets: [...requiredSecrets] };
}
