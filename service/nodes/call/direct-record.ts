import type { Logger } from 'pino';
import type { EndStatus } from '../../../specs/execution-status.ts';
import type { FailureKind } from '../../../specs/failure-kind.ts';
import { logFailedCall } from '../../logging/failed-call.ts';
import { columnText } from '../../store/column-text.ts';
import type { CallJournalRow } from '../../store/commit/call-write.ts';
import type { Execution } from '../../store/executions.ts';
import type { Tenant } from '../../store/tenants.ts';
import { rootSpan, type SpanContext } from '../../telemetry/trace-context.ts';
import type { Tracer } from '../../telemetry/tracer.ts';
import type { PublishedNode } from '../published-nodes.ts';
import type { CallJournal } from './call-journal.ts';

/** Where a direct call is recorded: its execution and journal, its span, and the log of failed calls. */
export interface CallRecordParts {
  /** Each resolves once its write is committed. */
  executions: { write(execution: Execution): Promise<void>; append(row: CallJournalRow): Promise<void> };
  /** Absent without a trace collector. */
  tracer?: Tracer | undefined;
  logger: Pick<Logger, 'warn'>;
}

/** Why a direct call failed. */
export interface CallFailure {
  message: string;
  /** Absent if no kind describes the cause. */
  kind?: FailureKind;
}

/** A direct call that has ended. Times are epoch milliseconds. */
interface EndedCall {
  tenant: Tenant;
  published: PublishedNode;
  executionId: string;
  startedAt: number;
  endedAt: number;
  status: EndStatus;
  /** Failed calls only. */
  failure: CallFailure | undefined;
  journal: CallJournal;
  invokedBy: SpanContext | undefined;
}

/** Records the span, the journal and the execution of a direct call. Resolves once all are committed. */
export async function recordDirectCall(
  { executions, tracer, logger }: CallRecordParts,
  call: EndedCall,
): Promise<void> {
  const { tenant, published, executionId, startedAt, endedAt, status, failure, journal, invokedBy } = call;
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
    error: failure?.message,
    link: invokedBy,
  });
  if (status === 'FAILED' && failure) {
    const { message, kind: failureKind } = failure;
    const failed = { execution: executionId, tenant: tenant.id, node: fqn, failureKind, message };
    logFailedCall(logger, failed, 'a call of a node failed');
  }
  const execution = endedExecution({
    tenantId: tenant.id,
    executionId,
    nodeId: node.id,
    nodeFqn: fqn,
    startedAt,
    endedAt,
    status,
    failure,
  });
  // In this order: a reader of the execution finds its whole journal.
  await Promise.all([...journal.close(), executions.write(execution)]);
}

/** Returns the execution of a direct call that has ended. Times are epoch milliseconds. */
export function endedExecution({
  tenantId,
  executionId,
  nodeId,
  nodeFqn,
  startedAt,
  endedAt,
  status,
  failure,
}: Pick<EndedCall, 'executionId' | 'startedAt' | 'endedAt' | 'status' | 'failure'> & {
  tenantId: string;
  nodeId: string;
  nodeFqn: string;
}): Execution {
  return {
    tenantId,
    id: executionId,
    graphId: null,
    graphArtifactId: null,
    nodeId,
    nodeFqn,
    status,
    errorMessage: failure ? columnText(failure.message) : null,
    failureKind: failure?.kind ?? null,
    failedNode: null,
    createdAt: startedAt,
    updatedAt: endedAt,
    completedAt: endedAt,
    lineageRootExecutionId: null,
    forkedFromExecutionId: null,
    mutationEnabled: false,
    mutationSeq: 0,
    mockedNodeCount: 0,
  };
}
