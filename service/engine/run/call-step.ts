import type { Clock } from '../../clock.ts';
import type { NodeCalls } from '../../nodes/call/node-calls.ts';
import type { CallListener } from '../../nodes/container/read-answer.ts';
import { attemptSpan } from '../../telemetry/trace-context.ts';
import type { CompiledNode, ConfigProfile } from '../graph/compiled-graph.ts';
import { nodeConfigJson } from '../graph/resolve-config.ts';
import { secretsRefused } from './run-texts.ts';
import type { StepOutcome } from './step-failure.ts';

/** One attempt of a step of a run. */
export interface StepCall {
  tenantId: string;
  /** The run's own execution id, also on a branch. */
  executionId: string;
  node: CompiledNode;
  step: number;
  /** From 1. */
  attempt: number;
  /** Serialized input message. */
  input: Uint8Array;
  /** The run's config profile. */
  config: ConfigProfile;
  /** The run has a debug session, so it may use armed secrets only. */
  development: boolean;
  signal: AbortSignal;
  listener: CallListener;
}

/** How long runs use a deployment before they read it again. Without it, every step would read the database. */
const deploymentMaxAgeMs = 1_000;

/** Calls the node of a step. Failures of the container and of the network are outcomes. */
export async function callStep(
  { calls, clock }: { calls: NodeCalls; clock: Clock },
  { tenantId, executionId, node, step, attempt, input, config, development, signal, listener }: StepCall,
): Promise<StepOutcome> {
  const target = await calls.findTarget(node, tenantId, { maxAgeMs: deploymentMaxAgeMs });
  if (!target) {
    return { kind: 'unreachable', cause: 'connect', message: 'node not found or not yet deployed' };
  }
  const { id: placementId, requiredSecrets } = node;
  const user = { name: placementId, requiredSecrets };
  const secrets = await calls.readSecrets(tenantId, user, { development });
  if (!secrets.ok) return { kind: 'refused', message: secretsRefused(secrets) };
  return calls.invoke({
    node,
    target,
    origin: {
      tenantId,
      executionId,
      step,
      attempt,
      span: attemptSpan(executionId, step, attempt),
      placementId,
      configJson: nodeConfigJson(node, config),
    },
    secrets: secrets.values,
    input,
    deadlineMs: clock.now() + node.timeoutMs,
    signal,
    listener,
  });
}
