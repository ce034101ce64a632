import { isoTime } from '../../clock.ts';
import { checkpointId } from '../../engine/events/checkpoint-id.ts';
import type { Execution } from '../../store/executions.ts';

/**
 * SPEC.md, Execution record.
 *
 * @param journalHead place of the last row of its journal; branches and direct node calls have none of their own
 */
export function presentExecution(execution: Execution, journalHead: number | undefined): object {
  return {
    execution_id: execution.id,
    tenant_id: execution.tenantId,
    ...present('graph_id', execution.graphId),
    ...present('graph_artifact_id', execution.graphArtifactId),
    ...present('node_id', execution.nodeId),
    ...present('node_fqn', execution.nodeFqn),
    status: execution.status,
    ...(journalHead !== undefined && { latest_checkpoint_id: checkpointId(execution.id, journalHead) }),
    forked_from_execution_id: null,
    mutation_enabled: execution.mutationEnabled,
    lineage_root_execution_id: execution.lineageRootExecutionId,
    mutation_seq: execution.mutationSeq,
    created_at: isoTime(execution.createdAt),
    updated_at: isoTime(execution.updatedAt),
    ...present('completed_at', execution.completedAt === null ? null : isoTime(execution.completedAt)),
    ...(execution.mockedNodeCount > 0 && { mocked_node_count: execution.mockedNodeCount }),
  };
}

function present(name: string, value: string | null): Record<string, string> {
  return value === null ? {} : { [name]: value };
}
