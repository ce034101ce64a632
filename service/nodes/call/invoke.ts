import { startStopwatch } from '../../clock.ts';
import type { Metrics } from '../../metrics.ts';
import type { ContainerPool } from '../container/container-pool.ts';
import { callFailed, type InvokeOutcome } from '../container/invoke-outcome.ts';
import type { CallListener } from '../container/read-answer.ts';
import type { CallableNode } from './callable-node.ts';
import { callContext, type CallOrigin } from './context.ts';
import type { NodeTarget } from './target.ts';

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
  /** Time by which the call ends, epoch milliseconds. */
  deadlineMs: number;
  /** Cancels the call. */
  signal: AbortSignal;
  /** Receives the messages that precede the answer. */
  listener?: CallListener;
}

/** The parts of the service that a call of a unary node uses. */
export interface InvokeParts {
  containers: Pick<ContainerPool, 'invoke'>;
  metrics: Pick<Metrics, 'observeNodeCall'>;
}

/** Calls a unary node once and records the call's metrics. Container and network failures are outcomes. */
export async function invokeNode(
  { containers, metrics }: InvokeParts,
  { node, target, origin, secrets, input, deadlineMs, signal, listener }: NodeCall,
): Promise<InvokeOutcome> {
  const { endpoint, owner, token, problem } = target;
  if (problem !== undefined) return callFailed('connect', problem);
  const context = callContext(origin, target, { secrets, deadlineMs });
  const elapsedMs = startStopwatch();
  const outcome = await containers.invoke(
    endpoint,
    { context, input },
    { package: target.package, deadlineMs, signal, owner, token, listener },
  );
  metrics.observeNodeCall(node.packageName, outcome.kind, elapsedMs() / 1000);
  return outcome;
}
