import { isoTime } from '../../clock.ts';
import type { CompiledGraph } from '../../engine/graph/compiled-graph.ts';
import type { Graph, GraphSummary } from '../../store/graphs.ts';

/** Compiled flows on the wire (DESIGN.md 5). */
export function presentGraph({ id, artifactId, name, description, mode, compiled, createdAt }: GraphSummary) {
  const graph = compiled as unknown as CompiledGraph;
  return {
    graph_id: id,
    graph_artifact_id: artifactId,
    name,
    description,
    mode,
    input_message: graph.inputMessage,
    output_message: graph.outputMessage,
    ...(graph.mockedNodes.length > 0 && { mocked_nodes: graph.mockedNodes }),
    required_secrets: graph.requiredSecrets,
    warnings: graph.warnings,
    created_at: isoTime(createdAt),
  };
}

export function presentGraphDetail(graph: Graph): object {
  return { ...presentGraph(graph), document: graph.document };
}
