import type { EndStatus } from '../../../specs/execution-status.ts';
import type { InvocationQuota } from '../../access/daily-quota.ts';
import type { Clock } from '../../clock.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { MessageError } from '../../errors/message-errors.ts';
import {
  genericNodeCalled,
  invalidNodeInput,
  invalidNodeValue,
  nodeFailed,
  nodeNotFound,
  nodeUnreachable,
  secretNotConfigured,
  streamingNotAvailable,
} from '../../errors/node-errors.ts';
import type { Ids } from '../../ids.ts';
import type { MessageWorkers } from '../../messages/convert/message-workers.ts';
import type { Tenant } from '../../store/tenants.ts';
import { rootSpan, type SpanContext } from '../../telemetry/trace-context.ts';
import type { InvokeOutcome } from '../container/invoke-outcome.ts';
import type { NodeReference, PublishedNode, PublishedNodes } from '../published-nodes.ts';
import { openCallJournal } from './call-journal.ts';
import { type CallFailure, type CallRecordParts, recordDirectCall } from './direct-record.ts';
import { failureKindOf } from './failure-kind.ts';
import {
  formatMessage,
  type MessageForm,
  type ReadMessage,
  type SentMessage,
  serializeMessage,
} from './message-form.ts';
import type { NodeCalls } from './node-calls.ts';
import { OpenCalls } from './open-calls.ts';
import type { NodeTarget } from './target.ts';

interface DirectCallsOptions extends CallRecordParts {
  calls: NodeCalls;
  published: PublishedNodes;
  messages: Pick<MessageWorkers, 'convert'>;
  /** Counts a call against the tenant's quota, right before the call reaches a container. */
  admit: InvocationQuota;
  clock: Clock;
  ids: Pick<Ids, 'executionId'>;
  /** Time limit of a call, milliseconds. */
  timeoutMs: number;
}

/** A published node that the tenant may call now. */
interface FoundNode extends PublishedNode {
  target: NodeTarget;
}

interface DirectCall<Form extends MessageForm = MessageForm> {
  /** The calling tenant, which owns the execution. */
  tenant: Tenant;
  found: FoundNode;
  /** The output comes in the same form. */
  input: SentMessage<Form>;
  signal: AbortSignal;
  /** The span that the caller's `traceparent` names. */
  invokedBy?: SpanContext | undefined;
}

export interface DirectAnswer<Form extends MessageForm = MessageForm> {
  executionId: string;
  output: ReadMessage<Form>;
}

/** Calls single nodes for callers outside of any flow. */
export class DirectCalls {
  readonly #options: DirectCallsOptions;
  readonly #open = new OpenCalls();

  constructor(options: DirectCallsOptions) {
    this.#options = options;
  }

  /**
   * Finds a node for a call. Reads the deployment each time, so that undeploying and hiding a package take effect at once.
   *
   * @throws ApiError 404 for a node that is unknown, not visible or not deployed
   */
  async find(tenantId: string, reference: NodeReference): Promise<FoundNode> {
    const { calls, published } = this.#options;
    const node = await published.find(tenantId, reference);
    const target = await calls.findTarget(node.callable, tenantId);
    if (!target) throw nodeNotFound();
    return { ...node, target };
  }

  /**
   * Calls a unary node. Resolves or rejects once the execution is recorded. A call refused before it reaches a container leaves no
   * execution, except for an undeclared enum ordinal, whose error carries the execution id.
   *
   * @throws ApiError 400, 422, 429, 501, 502 or 503
   */
  invoke<Form extends MessageForm>(call: DirectCall<Form>): Promise<DirectAnswer<Form>> {
    return this.#open.track(this.#invoke(call));
  }

  /** Ends the calls that wait for a container, each with a failed execution. For a process that is about to end. */
  endCalls(): void {
    this.#open.end();
  }

  /** Ends all calls, and waits at most `graceMs` until their executions are recorded. */
  async close(graceMs: number): Promise<void> {
    this.#open.end();
    await this.#open.settled(graceMs);
  }

  async #invoke<Form extends MessageForm>({
    tenant,
    found,
    input,
    signal,
    invokedBy,
  }: DirectCall<Form>): Promise<DirectAnswer<Form>> {
    const { calls, messages, executions, admit, clock, ids, timeoutMs } = this.#options;
    const { node, callable, registry, target } = found;
    const { inputMessage, outputMessage } = node;
    if (node.kind === 'generic' || inputMessage === null || outputMessage === null) {
      throw genericNodeCalled(node.name);
    }
    if (node.mode === 'pipeline') throw streamingNotAvailable(node.name);
    const secrets = await calls.readSecrets(tenant.id, node);
    if (!secrets.ok) throw secretNotConfigured(secrets.message);

    const startedAt = clock.now();
    const executionId = ids.executionId();
    const journal = openCallJournal({
      rows: executions,
      clock,
      tenantId: tenant.id,
      executionId,
      node: node.name,
    });
    const record = (status: EndStatus, failure?: CallFailure) =>
      recordDirectCall(this.#options, {
        tenant,
        published: found,
        executionId,
        startedAt,
        endedAt: clock.now(),
        status,
        failure,
        journal,
        invokedBy,
      });
    const fail = async (error: Error, failure: CallFailure): Promise<never> => {
      if (signal.aborted) await record('CANCELLED', { ...failure, kind: 'CANCELLED' });
      else await record('FAILED', failure);
      throw error;
    };

    const deadlineMs = startedAt + timeoutMs;
    const caller = { tenantId: tenant.id, signal, deadlineMs };
    const inputType = { registry, typeName: inputMessage };
    const serialized = await serializeMessage(messages, { ...inputType, ...caller }, input);
    if (!serialized.ok) {
      const refusal = refusalOf(serialized.error, executionId);
      if (serialized.error.code !== 'undeclared_ordinal') throw refusal;
      return fail(refusal, { message: serialized.error.message, kind: 'INPUT_INVALID' });
    }
    await admit(tenant);
    const outcome = await this.#open.untilEnd(() =>
      calls.invoke({
        node: callable,
        target,
        origin: { tenantId: tenant.id, executionId, step: 0, attempt: 1, span: rootSpan(executionId) },
        secrets: secrets.values,
        input: serialized.value,
        deadlineMs,
        signal,
        listener: journal.listener,
      }),
    );
    if (outcome.kind !== 'output') {
      const message = failureText(node.name, outcome);
      const error = outcome.kind === 'unreachable' ? nodeUnreachable : nodeFailed;
      return fail(error(message, executionId), { message, kind: failureKindOf(outcome) });
    }
    const outputType = { registry, typeName: outputMessage };
    const answered = { ...outputType, ...caller, accepted: true };
    const output = await formatMessage(messages, answered, outcome.bytes, input.form).catch(
      (error: unknown) =>
        fail(error as Error, {
          message: 'the output was not converted to JSON before the deadline of the call',
        }),
    );
    if (!output.ok) {
      const message = `calling node: ${output.error.message}`;
      return fail(nodeUnreachable(message, executionId), { message, kind: 'OUTPUT_INVALID' });
    }
    await record('COMPLETED');
    return { executionId, output: output.value };
  }
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
      return `node "${name}" requested a human decision, which only a flow run can wait for`;
  }
}
