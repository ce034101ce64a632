import type { EndStatus } from '../../../specs/execution-status.ts';
import type { Execution } from '../../store/executions.ts';
import type { Tenant } from '../../store/tenants.ts';
import { rootSpan, type SpanContext } from '../../telemetry/trace-context.ts';
import type { Tracer } from '../../telemetry/tracer.ts';
import type { PublishedNode } from '../published-nodes.ts';

export interface CallRecordParts {
  executions: { write(execution: Execution): Promise<void> };
  /** Absent without a trace collector. */
  tracer?: Tracer | undefined;
}

/** A direct call that has ended. Times are epoch milliseconds. */
interface EndedCall {
  tenant: Tenant;
  published: PublishedNode;
  executionId: string;
  startedAt: number;
  endedAt: number;
  status: EndStatus;
  errorMessage: string | null;
  invokedBy: SpanContext | undefined;
}

/** Records the span and the execution of a direct call. Resolves once the execution is committed. */
export function recordDirectCall({ executions, tracer }: CallRecordParts, call: EndedCall): Promise<void> {
  const { tenant, published, executionId, startedAt, endedAt, status, errorMessage, invokedBy } = call;
  const { node, callable, version, fqn } = published;
  tracer?.record({
    ...rootSpan(executionId),
    name: `node ${fqn}`,
    kind: 'client',
    startedAt,
    endedAt,
    attributes: {
      'svc.tenant': tenant.handle,
      'svc.execution.id': executionId,
      'svc.execution.status': status,
      'svc.node.name': node.name,
      'svc.package.name': callable.packageName,
      'svc.package.version': version,
    },
    error: errorMessage ?? undefined,
    link: invokedBy,
  });
  return executions.write({
    tenantId: tenant.id,
    id: executionId,
    graphId: null,
    graphArtifactId: null,
    nodeId: node.id,
    nodeFqn: fqn,
    status,
    errorMessage,
    createdAt: startedAt,
    updatedAt: endedAt,
    completedAt: endedAt,
    lineageRootExecutionId: null,
    mutationEnabled: false,
    mutationSeq: 0,
    mockedNodeCount: 0,
  });
}
