import type { Clock } from '../../clock.ts';
import { connectText } from '../../nodes/call/connect-text.ts';
import type { NodeCalls, NodeStreamCall } from '../../nodes/call/node-calls.ts';
import { callCancelled, type NodeUnreachable } from '../../nodes/container/invoke-outcome.ts';
import type { CallListener } from '../../nodes/container/read-answer.ts';
import { attemptSpan } from '../../telemetry/trace-context.ts';
import { loopTurns } from '../../work/turn-budget.ts';
import type { CompiledNode, ConfigProfile } from '../graph/compiled-graph.ts';
import { nodeConfigJson, profileJson } from '../graph/resolve-config.ts';
import { secretsRefused } from './run-texts.ts';
import type { StepOutcome } from './step-failure.ts';

/** One attempt of a step of a run. */
export interface StepCall extends PreparedStep {
  /** Serialized input message. */
  input: Uint8Array;
}

/** A step, without its input. */
interface PreparedStep {
  tenantId: string;
  /** The run's own execution id, even on a branch. */
  executionId: string;
  node: CompiledNode;
  step: number;
  /** From 1. */
  attempt: number;
  /** On a unary node that is called for each frame of a stream: the position of the frame. */
  frame?: number;
  /** The run's config profile. */
  config: ConfigProfile;
  /** The input is a human's decision on this pause. */
  resumed?: { pauseId: string; by: string } | undefined;
  /** Whether the run has a debug session. If so, it may use only armed secrets. */
  development: boolean;
  /** Whether an app key started the run. App keys are public, and their holders can read its errors. */
  isPublic: boolean;
  signal: AbortSignal;
  listener: CallListener;
}

/**
 * How long runs use a cached deployment, in milliseconds. Without the cache, every step would query the database.
 * Changes made through this process take effect immediately.
 */
const deploymentMaxAgeMs = 1_000;

/**
 * Maximum bytes of a call that is sent immediately. Sending copies them, and up to 498 steps of a fan-out are called
 * in the same turn of the event loop. Larger calls therefore wait for a turn of their own.
 */
const bytesAtOnce = 16_384;

/** Calls the node of a step. Container and network failures are outcomes. */
export async function callStep(
  parts: { calls: NodeCalls; clock: Clock },
  { input, ...step }: StepCall,
): Promise<StepOutcome> {
  const prepared = await prepareStep(parts, step, input.length);
  if (!prepared.ok) return prepared.outcome;
  const outcome = await parts.calls.invoke({ ...prepared.call, input });
  return outcome.kind === 'unreachable' ? withContainer(step, prepared.call, outcome) : outcome;
}

/** Names the container in the failure of a step that could not connect to it. */
export function withContainer(
  { node, tenantId, isPublic }: Pick<PreparedStep, 'node' | 'tenantId' | 'isPublic'>,
  { target }: Pick<NodeStreamCall, 'target'>,
  failure: NodeUnreachable,
): NodeUnreachable {
  return {
    ...failure,
    message: connectText(failure.message, { name: node.id, node, target, tenantId, isPublic }),
  };
}

/**
 * Finds the container of a step and reads its secrets. Returns the call, or the reason that there is none.
 *
 * @param inputBytes length of the input that is sent with the call
 */
export async function prepareStep(
  { calls, clock }: { calls: NodeCalls; clock: Clock },
  {
    tenantId,
    executionId,
    node,
    step,
    attempt,
    frame,
    config,
    resumed,
    development,
    signal,
    listener,
  }: PreparedStep,
  inputBytes = 0,
): Promise<
  | { ok: true; call: NodeStreamCall }
  | { ok: false; outcome: Exclude<StepOutcome, { kind: 'output' | 'pause' }> }
> {
  const target = await calls.findTarget(node, tenantId, { maxAgeMs: deploymentMaxAgeMs });
  if (!target) {
    const { id, nodeName, packageName, version } = node;
    const place = `"${id}" (${nodeName} of ${packageName}@${version})`;
    const message = `node not found or not yet deployed: ${place}`;
    return { ok: false, outcome: { kind: 'unreachable', cause: 'connect', message } };
  }
  const { id: placementId, requiredSecrets } = node;
  const user = { name: placementId, requiredSecrets };
  const secrets = await calls.readSecrets(tenantId, user, { development });
  if (!secrets.ok) return { ok: false, outcome: { kind: 'refused', message: secretsRefused(secrets) } };
  const bytes = inputBytes + profileJson(config).length + (target.binding?.descriptorSet.length ?? 0);
  if (bytes > bytesAtOnce) {
    await loopTurns.queue();
    // By now, the run may have ended or left this process.
    if (signal.aborted) return { ok: false, outcome: callCancelled };
  }
  const call: NodeStreamCall = {
    node,
    target,
    origin: {
      tenantId,
      executionId,
      step,
      attempt,
      ...(frame !== undefined && { frame }),
      span: attemptSpan(executionId, step, attempt),
      placementId,
      configJson: nodeConfigJson(node, config),
      resumed,
    },
    secrets: secrets.values,
    deadlineMs: clock.now() + node.timeoutMs,
    signal,
    listener,
  };
  return { ok: true, call };
}
