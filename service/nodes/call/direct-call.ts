import type { InvocationQuota } from '../../access/daily-quota.ts';
import type { Clock } from '../../clock.ts';
import {
  genericNodeCalled,
  nodeFailed,
  nodeNotFound,
  outputInvalid,
  pipelineNotBinary,
  streamedIntoUnary,
} from '../../errors/node-errors.ts';
import { refusalText } from '../../errors/refusal-text.ts';
import type { Ids } from '../../ids.ts';
import type { MessageWorkers } from '../../messages/convert/message-workers.ts';
import type { Tenant } from '../../store/tenants.ts';
import { rootSpan } from '../../telemetry/trace-context.ts';
import type { InvokeOutcome } from '../container/invoke-outcome.ts';
import type { NodeReference, PublishedNodes } from '../published-nodes.ts';
import { beginDirectCall, requireCallable, type DirectCaller, type FoundNode } from './direct-execution.ts';
import type { CallFailure, CallRecordParts } from './direct-record.ts';
import { type DirectStream, openDirectStream, type StreamRequest } from './direct-stream.ts';
import { failureKindOf } from './failure-kind.ts';
import { inputRefusal } from './input-refusal.ts';
import {
  formatMessage,
  type MessageForm,
  type ReadMessage,
  type SentMessage,
  serializeMessage,
} from './message-form.ts';
import type { NodeCalls } from './node-calls.ts';
import { OpenCalls } from './open-calls.ts';
import { outlastingRecords } from './outlasting-records.ts';
import { unreachableRefusal } from './unreachable-refusal.ts';

interface DirectCallsOptions extends CallRecordParts {
  calls: NodeCalls;
  published: PublishedNodes;
  messages: Pick<MessageWorkers, 'convert'>;
  /** Counts a call against the tenant's quota, right before the call reaches a container. */
  admit: InvocationQuota;
  clock: Clock;
  ids: Pick<Ids, 'executionId'>;
  /** Default time limit of a call, in milliseconds. */
  timeoutMs: number;
  /** Time limit of a stream, in milliseconds. */
  streamMs: number;
}

interface DirectCall<Form extends MessageForm = MessageForm> extends DirectCaller {
  /** The output comes in the same form. */
  input: SentMessage<Form>;
  /** Time limit, in milliseconds. Default: the limit for all calls. */
  timeoutMs?: number | undefined;
}

/** The response of a unary node. Its execution is already recorded. */
export interface DirectAnswer<Form extends MessageForm = MessageForm> {
  executionId: string;
  /** In the form of the input. */
  output: ReadMessage<Form>;
}

/** Calls single nodes for callers outside any flow. */
export class DirectCalls {
  readonly #options: DirectCallsOptions;
  readonly #open = new OpenCalls();

  constructor(options: DirectCallsOptions) {
    this.#options = options;
  }

  /**
   * Finds a node for a call. Reads the deployment each time, so that a package that is undeployed or made
   * private becomes unavailable at once.
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
   * Finds a node for a stream. Refuses the same nodes as `stream`, without calling the container.
   *
   * @throws ApiError 400 or 404
   */
  async requireStreamable(tenant: Pick<Tenant, 'id'>, reference: NodeReference): Promise<void> {
    const found = await this.find(tenant.id, reference);
    requireStreamed(found);
    await requireCallable(this.#options.calls, tenant, found.node);
  }

  /**
   * Calls a unary node. Resolves or rejects once the execution is recorded. A call refused before it reaches a container leaves no
   * execution, except for an undeclared enum ordinal, whose error carries the execution id.
   *
   * @throws ApiError 400, 422, 429, 502 or 503
   */
  invoke<Form extends MessageForm>(call: DirectCall<Form>): Promise<DirectAnswer<Form>> {
    return this.#open.track(this.#invoke(call));
  }

  /**
   * Opens the stream of a pipeline node. Resolves once its output may be read. A call that is refused before
   * its container is called leaves no execution, with three exceptions: an undeclared enum ordinal, an
   * unreachable container, and an invalid first frame of a call whose execution id is given.
   *
   * @param executions where the call is recorded. Default: where other direct calls are recorded, with
   *   retries during a short outage of the database
   * @throws ApiError 400, 429, 502 or 503
   */
  stream(
    request: StreamRequest,
    executions: CallRecordParts['executions'] = outlastingRecords(this.#options.executions),
  ): Promise<DirectStream> {
    requireStreamed(request.found);
    const parts = { ...this.#options, executions, open: this.#open };
    return this.#open.track(openDirectStream(parts, request));
  }

  /** Makes a process that is about to exit wait for a promise, as it does for a call. */
  track<T>(work: Promise<T>): Promise<T> {
    return this.#open.track(work);
  }

  /**
   * Ends the calls that are waiting for a container, each with a failed execution. Called when the process is
   * about to exit.
   */
  endCalls(): void {
    this.#open.end();
  }

  /** Ends all calls, and waits at most `graceMs` until their executions are recorded. */
  async close(graceMs: number): Promise<void> {
    this.#open.end();
    await this.#open.settled(graceMs);
  }

  async #invoke<Form extends MessageForm>({
    input,
    timeoutMs = this.#options.timeoutMs,
    ...caller
  }: DirectCall<Form>): Promise<DirectAnswer<Form>> {
    const { calls, messages, admit } = this.#options;
    const { tenant, found, signal } = caller;
    const { node, callable, registry, target } = found;
    const execution = await beginDirectCall(this.#options, caller);
    if (node.mode === 'pipeline') throw pipelineNotBinary(node.name);
    const { executionId, startedAt, journal, record, secrets } = execution;
    const fail = async (error: Error, failure: CallFailure): Promise<never> => {
      if (signal.aborted) await record('CANCELLED', { ...failure, kind: 'CANCELLED' });
      else await record('FAILED', failure);
      throw error;
    };

    const deadlineMs = startedAt + timeoutMs;
    const converting = { registry, tenantId: tenant.id, signal, deadlineMs };
    const task = { ...converting, typeName: execution.inputMessage };
    const serialized = await serializeMessage(messages, task, input);
    if (!serialized.ok) {
      const refusal = inputRefusal(serialized.error, executionId, 'unary');
      if (serialized.error.code !== 'undeclared_ordinal') throw refusal;
      return fail(refusal, { message: serialized.error.message, kind: 'INPUT_INVALID' });
    }
    await admit(tenant);
    const outcome = await this.#open.untilEnd(() =>
      calls.invoke({
        node: callable,
        target,
        origin: { tenantId: tenant.id, executionId, step: 0, attempt: 1, span: rootSpan(executionId) },
        secrets,
        input: serialized.value,
        deadlineMs,
        signal,
        listener: journal.listener,
      }),
    );
    if (outcome.kind !== 'output') {
      const message = failureText(node.name, outcome);
      const error =
        outcome.kind === 'unreachable'
          ? unreachableRefusal(message, executionId, caller)
          : nodeFailed(message, executionId);
      return fail(error, { message, kind: failureKindOf(outcome) });
    }
    const answered = { ...converting, typeName: execution.outputMessage, accepted: true };
    const output = await formatMessage(messages, answered, outcome.bytes, input.form).catch(
      (error: unknown) =>
        fail(error as Error, {
          message: 'the output was not converted to JSON before the deadline of the call',
        }),
    );
    if (!output.ok) {
      const refusal = outputInvalid(output.error.message, executionId);
      return fail(refusal, { message: refusalText(refusal), kind: 'OUTPUT_INVALID' });
    }
    await record('COMPLETED');
    return { executionId, output: output.value };
  }
}

/** @throws ApiError 400 for a node that does not accept a stream */
export function requireStreamed({ node }: FoundNode): void {
  if (node.kind === 'generic') throw genericNodeCalled(node.name);
  if (node.mode === 'unary') throw streamedIntoUnary(node.name);
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
