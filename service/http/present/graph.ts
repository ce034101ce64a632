import { isoTime } from '../../clock.ts';
import type { Graph, GraphSummary } from '../../store/graphs.ts';

/** Compiled flows on the wire (DESIGN.md 5). */
export function presentGraph(graph: GraphSummary) {
  return {
    graph_id: graph.id,
    graph_artifact_id: graph.artifactId,
    name: graph.name,
    description: graph.description,
    mode: graph.mode,
    input_message: graph.inputMessage,
    output_message: graph.outputMessage,
    ...(graph.mockedNodes.length > 0 && { mocked_nodes: graph.mockedNodes }),
    required_secrets: graph.requiredSecrets,
    warnings: graph.warnings,
    created_at: isoTime(graph.createdAt),
  };
}

export function presentGraphDetail(graph: Graph): object {
  return { ...presentGraph(graph), document: graph.document };
}
