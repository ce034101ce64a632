import type { z } from 'zod';
import type { executionRecord } from '../../../specs/operations/executions.ts';
import { isoTime } from '../../clock.ts';
import { checkpointId } from '../../engine/events/checkpoint-id.ts';
import type { Execution } from '../../store/executions.ts';

/** @param journalHead sequence number of the last journal row; undefined for branches and direct node calls, which have no journal
 * @param pauseId the pause that waits for a decision */
export function presentExecution(
  execution: Execution,
  journalHead: number | undefined,
  pauseId?: string,
): z.input<typeof executionRecord> {
  return {
    execution_id: execution.id,
    tenant_id: execution.tenantId,
    ...(execution.graphId !== null && { graph_id: execution.graphId }),
    ...(execution.graphArtifactId !== null && { graph_artifact_id: execution.graphArtifactId }),
    ...(execution.nodeId !== null && { node_id: execution.nodeId }),
    ...(execution.nodeFqn !== null && { node_fqn: execution.nodeFqn }),
    status: execution.status,
    ...(journalHead !== undefined && { latest_checkpoint_id: checkpointId(execution.id, journalHead) }),
    ...(pauseId !== undefined && { pause_id: pauseId }),
    forked_from_execution_id: execution.forkedFromExecutionId,
    mutation_enabled: execution.mutationEnabled,
    lineage_root_execution_id: execution.lineageRootExecutionId,
    mutation_seq: execution.mutationSeq,
    created_at: isoTime(execution.createdAt),
    updated_at: isoTime(execution.updatedAt),
    ...(execution.errorMessage !== null && { error_message: execution.errorMessage }),
    ...(execution.failureKind !== null && { failure_kind: execution.failureKind }),
    ...(execution.failedNode !== null && { failed_node_name: execution.failedNode }),
    ...(execution.completedAt !== null && { completed_at: isoTime(execution.completedAt) }),
    ...(execution.mockedNodeCount > 0 && { mocked_node_count: execution.mockedNodeCount }),
  };
}
