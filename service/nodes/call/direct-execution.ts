import type { EndStatus } from '../../../specs/execution-status.ts';
import type { Clock } from '../../clock.ts';
import { secretsUnavailable } from '../../errors/flow-errors.ts';
import { genericNodeCalled, secretNotConfigured } from '../../errors/node-errors.ts';
import type { Ids } from '../../ids.ts';
import type { Tenant } from '../../store/tenants.ts';
import type { SpanContext } from '../../telemetry/trace-context.ts';
import type { PublishedNode } from '../published-nodes.ts';
import { type CallJournal, openCallJournal } from './call-journal.ts';
import { type CallFailure, type CallRecordParts, recordDirectCall } from './direct-record.ts';
import type { NodeCalls } from './node-calls.ts';
import type { NodeTarget } from './target.ts';

/** A published node that the tenant may call now. */
export interface FoundNode extends PublishedNode {
  target: NodeTarget;
}

/** Who calls a node outside any flow, and which node. */
export interface DirectCaller {
  /** The calling tenant, which owns the execution. */
  tenant: Tenant;
  found: FoundNode;
  /** Cancels the call. */
  signal: AbortSignal;
  /** The span that the caller's `traceparent` names. */
  invokedBy?: SpanContext | undefined;
  /** Id of the execution. Default: a new one. */
  executionId?: string | undefined;
}

/** The parts of the service that a direct call uses before and after it reaches its container. */
export interface ExecutionParts extends CallRecordParts {
  calls: Pick<NodeCalls, 'readSecrets' | 'logTokens'>;
  clock: Clock;
  ids: Pick<Ids, 'executionId'>;
}

/** A direct call that is ready to reach its container. */
export interface DirectExecution {
  executionId: string;
  /** Epoch milliseconds. */
  startedAt: number;
  inputMessage: string;
  outputMessage: string;
  secrets: Record<string, string>;
  journal: CallJournal;
  /** Records the end of the call, once. Resolves when it is committed. */
  record: (status: EndStatus, failure?: CallFailure) => Promise<void>;
}

/**
 * Returns what a call of a node needs.
 *
 * @throws ApiError 400 for a generic node, and for a secret that is not configured; 503 for one that cannot be decrypted
 */
export async function requireCallable(
  calls: ExecutionParts['calls'],
  tenant: Pick<Tenant, 'id'>,
  node: PublishedNode['node'],
): Promise<Pick<DirectExecution, 'inputMessage' | 'outputMessage' | 'secrets'>> {
  const { inputMessage, outputMessage } = node;
  if (node.kind === 'generic' || inputMessage === null || outputMessage === null) {
    throw genericNodeCalled(node.name);
  }
  const secrets = await calls.readSecrets(tenant.id, node);
  if (!secrets.ok) {
    const { reason, message } = secrets;
    throw reason === 'secrets_unavailable' ? secretsUnavailable(message) : secretNotConfigured(message);
  }
  return { inputMessage, outputMessage, secrets: secrets.values };
}

/**
 * Begins the execution of a direct call. It is recorded only once it has ended.
 *
 * @throws ApiError 400 for a generic node, and for a secret that is not configured; 503 for one that cannot be decrypted
 */
export async function beginDirectCall(
  parts: ExecutionParts,
  { tenant, found, invokedBy, executionId: given }: DirectCaller,
): Promise<DirectExecution> {
  const { calls, clock, ids, executions } = parts;
  const { node } = found;
  const { inputMessage, outputMessage, secrets } = await requireCallable(calls, tenant, node);
  const startedAt = clock.now();
  const executionId = given ?? ids.executionId();
  const journal = openCallJournal({
    rows: executions,
    clock,
    logTokens: calls.logTokens.of(tenant.id),
    tenantId: tenant.id,
    executionId,
    node,
  });
  let recorded: Promise<void> | undefined;
  return {
    executionId,
    startedAt,
    inputMessage,
    outputMessage,
    secrets,
    journal,
    record: (status, failure) =>
      (recorded ??= recordDirectCall(parts, {
        tenant,
        published: found,
        executionId,
        startedAt,
        endedAt: clock.now(),
        status,
        failure,
        journal,
        invokedBy,
      })),
  };
}
