import type { z } from 'zod';
import type { graphDetail, graphSummary } from '../../../specs/operations/graph-shapes.ts';
import { isoTime } from '../../clock.ts';
import type { Graph, GraphSummary } from '../../store/graphs.ts';

/** Presents a flow as in lists, without its document. `mocked_nodes` is omitted if there are none. */
export function presentGraph(graph: GraphSummary): z.input<typeof graphSummary> {
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

/** Presents a flow with its document in canonical form. */
export function presentGraphDetail(graph: Graph): z.input<typeof graphDetail> {
  // Stored by `compileGraph`, which checked its shape.
  const document = graph.document as z.input<typeof graphDetail>['document'];
  return { ...presentGraph(graph), document };
}
