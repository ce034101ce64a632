import { declaredSecrets } from '../access/secrets/declared-secrets.ts';
import type { SecretStore } from '../access/secrets/secret-store.ts';
import type { InvocationQuota } from '../access/daily-quota.ts';
import type { Clock } from '../clock.ts';
import type { ApiError } from '../errors/api-error.ts';
import type { MessageError } from '../errors/message-errors.ts';
import {
  genericNodeCalled,
  invalidNodeInput,
  invalidNodeValue,
  nodeFailed,
  nodeUnreachable,
  secretNotConfigured,
  streamingNotAvailable,
} from '../errors/node-errors.ts';
import type { Ids } from '../ids.ts';
import type { Conversion } from '../messages/conversion.ts';
import type { Metrics } from '../metrics.ts';
import type { Execution } from '../store/executions.ts';
import type { Tenant } from '../store/tenants.ts';
import { rootSpan, type SpanContext, traceparentOf } from '../telemetry/trace-context.ts';
import type { Tracer } from '../telemetry/tracer.ts';
import type { ContainerPool } from './container/container-pool.ts';
import type { InvokeOutcome } from './container/invoke-outcome.ts';
import type { ResolvedNode } from './resolve-node.ts';

export interface NodeCallOptions {
  containers: Pick<ContainerPool, 'invoke'>;
  executions: { write(execution: Execution): Promise<void> };
  /** Counts the call against the tenant's quota, once it is known to be one that a container would get. */
  admit: InvocationQuota;
  clock: Clock;
  ids: Ids;
  metrics: Metrics;
  /** Absent: nobody has secrets, and nodes that declare some are not called. */
  secrets?: Pick<SecretStore, 'values'>;
  /** Absent: nobody makes spans. */
  tracer?: Tracer | undefined;
  /** How long a container may take, milliseconds. */
  timeoutMs: number;
}

/** One direct call, from an input that may not fit to an output that its caller reads. */
export interface NodeCall<Output> {
  /** Whose call it is; executions are that tenant's. */
  tenant: Tenant;
  resolved: ResolvedNode;
  /** Makes the serialized input. */
  input: () => Promise<Conversion<Uint8Array>>;
  /** Reads the serialized output. */
  output: (bytes: Uint8Array) => Promise<Conversion<Output>>;
  signal: AbortSignal;
  /** The span that the caller's `traceparent` names. */
  invokedBy?: SpanContext | undefined;
}

export interface NodeAnswer<Output> {
  executionId: string;
  output: Output;
}

export type NodeCaller = <Output>(call: NodeCall<Output>) => Promise<NodeAnswer<Output>>;

/**
 * Calls a unary node directly (SPEC.md, Single node). Nobody is answered before the execution is recorded.
 *
 * @throws ApiError 400, 422, 429, 501, 502 or 503 with SPEC.md's texts
 */
export function createNodeCaller({
  containers,
  executions,
  admit,
  clock,
  ids,
  metrics,
  secrets,
  tracer,
  timeoutMs,
}: NodeCallOptions): NodeCaller {
  return async ({ tenant, resolved, input, output, signal, invokedBy }) => {
    const tenantId = tenant.id;
    const { node } = resolved;
    if (node.kind === 'generic' || !resolved.input || !resolved.output) throw genericNodeCalled(node.name);
    if (node.mode === 'pipeline') throw streamingNotAvailable(node.name);

    const declared = await declaredSecrets(secrets, tenantId, node);
    if (!declared.ok) throw secretNotConfigured(declared.message);

    const startedAt = clock.now();
    const executionId = ids.executionId();
    const record = (
      status: 'COMPLETED' | 'FAILED' | 'CANCELLED',
      errorMessage: string | null,
    ): Promise<void> => {
      const endedAt = clock.now();
      tracer?.record({
        ...rootSpan(executionId),
        name: `node ${resolved.fqn}`,
        kind: 'client',
        startedAt,
        endedAt,
        attributes: {
          'svc.tenant': tenant.handle,
          'svc.execution.id': executionId,
          'svc.execution.status': status,
          'svc.node.name': node.name,
          'svc.package.name': resolved.packageName,
          'svc.package.version': resolved.version,
        },
        error: errorMessage ?? undefined,
        link: invokedBy,
      });
      return executions.write({
        tenantId,
        id: executionId,
        graphId: null,
        graphArtifactId: null,
        nodeId: node.id,
        nodeFqn: resolved.fqn,
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
    };
    const fail = async (error: ApiError, message: string): Promise<never> => {
      await record(signal.aborted ? 'CANCELLED' : 'FAILED', message);
      throw error;
    };

    const decoded = await input();
    if (!decoded.ok) {
      const refusal = refusalOf(decoded.error, executionId);
      if (decoded.error.code === 'undeclared_ordinal') return fail(refusal, decoded.error.message);
      throw refusal;
    }
    await admit(tenant);
    const outcome = await containers.invoke(
      resolved.endpoint,
      {
        input: decoded.value,
        context: {
          executionId,
          node: resolved.target?.node ?? node.name,
          tenantId,
          attempt: 1,
          // A direct call is one step, the first.
          idempotencyId: `${executionId}:0`,
          deadlineMs: startedAt + timeoutMs,
          ...(node.requiredSecrets.length > 0 && { secrets: declared.values }),
          traceparent: traceparentOf(rootSpan(executionId)),
          ...(resolved.target && { binding: resolved.target.binding }),
        },
      },
      { deadlineMs: startedAt + timeoutMs, signal },
    );
    metrics.observeNodeCall(resolved.packageName, outcome.kind, (clock.now() - startedAt) / 1000);
    if (outcome.kind !== 'output') {
      const message = failureText(node.name, outcome);
      const error = outcome.kind === 'unreachable' ? nodeUnreachable : nodeFailed;
      return fail(error(message, executionId), message);
    }
    const encoded = await output(outcome.bytes);
    if (!encoded.ok) {
      const message = `calling node: ${encoded.error.message}`;
      return fail(nodeUnreachable(message, executionId), message);
    }
    await record('COMPLETED', null);
    return { executionId, output: encoded.value };
  };
}

function refusalOf(error: MessageError, executionId: string): ApiError {
  return error.code === 'undeclared_ordinal'
    ? invalidNodeValue(error.message, executionId)
    : invalidNodeInput(error.message);
}

function failureText(name: string, outcome: Exclude<InvokeOutcome, { kind: 'output' }>): string {
  switch (outcome.kind) {
    case 'failure':
    case 'unreachable':
      return outcome.message;
    case 'pause':
      return `node "${name}" asked for a human decision, which only a run of a flow can wait for`;
  }
}
