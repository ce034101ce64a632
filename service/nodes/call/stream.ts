import { startStopwatch } from '../../clock.ts';
import type { Metrics } from '../../metrics.ts';
import type { NodeStream } from '../container/call-stream.ts';
import type { ContainerPool } from '../container/container-pool.ts';
import {
  callFailed,
  detailOf,
  type NodeUnreachable,
  type StreamOutcome,
} from '../container/invoke-outcome.ts';
import { callContext } from './context.ts';
import type { NodeCall } from './invoke.ts';

/** One stream of a pipeline node. */
export type NodeStreamCall = Omit<NodeCall, 'input'>;

/** The parts of the service that a stream of a pipeline node uses. */
export interface StreamParts {
  containers: Pick<ContainerPool, 'stream'>;
  metrics: Pick<Metrics, 'observeNodeCall'>;
}

/** Opens the stream of a pipeline node, and records its metrics once it has ended. Failures are outcomes. */
export async function streamNode(
  { containers, metrics }: StreamParts,
  { node, target, origin, secrets, deadlineMs, signal, listener }: NodeStreamCall,
): Promise<NodeStream | NodeUnreachable> {
  const { endpoint, owner, token, problem } = target;
  if (problem !== undefined) return callFailed('connect', problem);
  const context = callContext(origin, target, { secrets, deadlineMs });
  const elapsedMs = startStopwatch();
  const observe = ({ kind }: StreamOutcome): void =>
    metrics.observeNodeCall(node.packageName, kind, elapsedMs() / 1000);
  const opened = await containers.stream(endpoint, context, {
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

/** The error text of a stream whose deadline has passed. */
export const streamTimedOut = 'timeout waiting for pipeline result';

/**
 * Describes why an open stream failed.
 *
 * @param id id of the node, or its name on a direct call
 */
export function streamFailureText(id: string, outcome: Exclude<StreamOutcome, { kind: 'done' }>): string {
  if (outcome.kind === 'failure') return outcome.message;
  switch (outcome.cause) {
    case 'deadline':
      return streamTimedOut;
    case 'connect':
      return openFailureText(id, outcome);
    case 'send':
      return `send to node "${id}": ${detailOf(outcome)}`;
    case 'cancelled':
    case 'call':
    case 'protocol':
      return `recv from node "${id}": ${detailOf(outcome)}`;
  }
}

/** Describes why a stream could not be opened. */
export function openFailureText(id: string, outcome: NodeUnreachable): string {
  return `open pipeline stream for node "${id}": ${detailOf(outcome)}`;
}
