import {
  type DeclaredSecrets,
  declaredSecrets,
  type SecretReader,
  type SecretUser,
} from '../../access/secrets/declared-secrets.ts';
import { startStopwatch } from '../../clock.ts';
import type { Metrics } from '../../metrics.ts';
import type { NodeStream } from '../container/call-stream.ts';
import type { ContainerPool } from '../container/container-pool.ts';
import {
  callFailed,
  type InvokeOutcome,
  type NodeUnreachable,
  type StreamOutcome,
} from '../container/invoke-outcome.ts';
import type { CallListener } from '../container/read-answer.ts';
import type { CallableNode } from './callable-node.ts';
import { callContext, type CallOrigin } from './context.ts';
import { TenantLogTokens } from './log-tokens.ts';
import type { NodeTarget, NodeTargets, TargetOptions } from './target.ts';

/** One call of a unary node. */
export interface NodeCall {
  node: CallableNode;
  /** Found for `node` and the calling tenant. */
  target: NodeTarget;
  origin: CallOrigin;
  /** Values of the secrets that the node declares. */
  secrets: Record<string, string>;
  /** Serialized input message. */
  input: Uint8Array;
  /** Deadline of the call, in epoch milliseconds. */
  deadlineMs: number;
  /** Cancels the call. */
  signal: AbortSignal;
  /** Receives the messages that precede the answer. */
  listener?: CallListener;
}

/** One stream of a pipeline node. */
export type NodeStreamCall = Omit<NodeCall, 'input'>;

interface NodeCallsOptions {
  containers: Pick<ContainerPool, 'invoke' | 'stream'>;
  metrics: Pick<Metrics, 'observeNodeCall'>;
  targets: NodeTargets;
  secrets: SecretReader;
}

/**
 * The only way to call a node, for direct calls and for the steps of runs: find the target, read the declared
 * secrets, then invoke a unary node or open the stream of a pipeline node. The first two are separate steps
 * because the two kinds of callers handle their failures differently.
 */
export class NodeCalls {
  /** Limits the logs of all calls. */
  readonly logTokens = new TenantLogTokens();
  readonly #containers: NodeCallsOptions['containers'];
  readonly #metrics: NodeCallsOptions['metrics'];
  readonly #targets: NodeTargets;
  readonly #secrets: SecretReader;

  constructor({ containers, metrics, targets, secrets }: NodeCallsOptions) {
    this.#containers = containers;
    this.#metrics = metrics;
    this.#targets = targets;
    this.#secrets = secrets;
  }

  /** @returns `undefined` if the node is not deployed, or not visible to the caller */
  findTarget(node: CallableNode, callerId: string, options?: TargetOptions): Promise<NodeTarget | undefined> {
    return this.#targets.find(node, callerId, options);
  }

  /** Returns the values of the secrets that a node declares, or why the node cannot be called. */
  readSecrets(
    tenantId: string,
    node: SecretUser,
    use?: { development: boolean },
  ): DeclaredSecrets | Promise<DeclaredSecrets> {
    return declaredSecrets(this.#secrets, tenantId, node, use);
  }

  /** Calls a unary node once and records the call's metrics. Container and network failures are outcomes. */
  async invoke({
    node,
    target,
    origin,
    secrets,
    input,
    deadlineMs,
    signal,
    listener,
  }: NodeCall): Promise<InvokeOutcome> {
    const { endpoint, owner, token, problem } = target;
    if (problem !== undefined) return callFailed('connect', problem);
    const context = callContext(origin, target, { secrets, deadlineMs });
    const elapsedMs = startStopwatch();
    const outcome = await this.#containers.invoke(
      endpoint,
      { context, input },
      { package: target.package, deadlineMs, signal, owner, token, listener },
    );
    this.#metrics.observeNodeCall(node.packageName, outcome.kind, elapsedMs() / 1000);
    return outcome;
  }

  /** Opens the stream of a pipeline node, and records its metrics once it has ended. Failures are outcomes. */
  async stream({
    node,
    target,
    origin,
    secrets,
    deadlineMs,
    signal,
    listener,
  }: NodeStreamCall): Promise<NodeStream | NodeUnreachable> {
    const { endpoint, owner, token, problem } = target;
    if (problem !== undefined) return callFailed('connect', problem);
    const context = callContext(origin, target, { secrets, deadlineMs });
    const elapsedMs = startStopwatch();
    const observe = ({ kind }: StreamOutcome): void =>
      this.#metrics.observeNodeCall(node.packageName, kind, elapsedMs() / 1000);
    const opened = await this.#containers.stream(endpoint, context, {
      package: target.package,
      deadlineMs,
      signal,
      owner,
      token,
      listener,
      onEnd: observe,
    });
    if ('kind' in opened) observe(opened);
    return opened;
  }
}
