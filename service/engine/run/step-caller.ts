import { declaredSecrets } from '../../access/secrets/declared-secrets.ts';
import type { SecretStore } from '../../access/secrets/secret-store.ts';
import type { Clock } from '../../clock.ts';
import type { Metrics } from '../../metrics.ts';
import type { ContainerPool } from '../../nodes/container/container-pool.ts';
import type { InvokeOutcome } from '../../nodes/container/invoke-outcome.ts';
import type { CallListener } from '../../nodes/container/read-answer.ts';
import { endpointFor, findInstanceTarget, type InstanceTarget } from '../../nodes/instance-target.ts';
import type { Database } from '../../store/database.ts';
import { type Deployment, findDeployment } from '../../store/hot/find-deployment.ts';
import { attemptSpan, traceparentOf } from '../../telemetry/trace-context.ts';
import type { CompiledNode, ConfigProfile, GenericRef } from '../graph/compiled-graph.ts';
import { nodeConfigJson } from '../graph/resolve-config.ts';

/** One attempt of a step of a run. */
export interface StepCall {
  tenantId: string;
  /** The run's own id, of whichever branch. */
  executionId: string;
  node: CompiledNode;
  step: number;
  /** From 1. */
  attempt: number;
  input: Uint8Array;
  /** The run's config profile. */
  config: ConfigProfile;
  signal: AbortSignal;
  listener: CallListener;
}

export type StepCaller = (call: StepCall) => Promise<InvokeOutcome>;

export interface StepCallerOptions {
  db: Database;
  containers: Pick<ContainerPool, 'invoke'>;
  clock: Clock;
  metrics: Pick<Metrics, 'observeNodeCall'>;
  secrets?: Pick<SecretStore, 'values'>;
}

/** How long a version's deployment is taken to stand: runs would otherwise read it at every step. */
const deploymentKeptMs = 1_000;
const deploymentsKept = 10_000;
/** Instances whose descriptors stay in memory. */
const targetsKept = 1_000;

/** Calls the containers of a flow's nodes. Never rejects for anything that a container or the network does. */
export function createStepCaller({ db, containers, clock, metrics, secrets }: StepCallerOptions): StepCaller {
  const kept = new Map<string, { until: number; deployment: Promise<Deployment | undefined> }>();

  const deploymentOf = (ownerTenantId: string, versionId: string): Promise<Deployment | undefined> => {
    const known = kept.get(versionId);
    const now = clock.now();
    if (known && now < known.until) return known.deployment;
    if (kept.size >= deploymentsKept) kept.clear();
    const deployment = findDeployment(db, ownerTenantId, versionId);
    kept.set(versionId, { until: now + deploymentKeptMs, deployment });
    deployment.catch(() => kept.delete(versionId));
    return deployment;
  };

  // What an Instance is bound to never changes.
  const targets = new Map<string, InstanceTarget>();
  const targetOf = async (node: CompiledNode, { instance }: GenericRef): Promise<InstanceTarget> => {
    const owned = { tenantId: node.ownerTenantId, id: node.nodeUlid };
    const target = targets.get(owned.id) ?? (await findInstanceTarget(db.knex, owned, instance));
    if (!target) throw new Error(`${instance} has lost an Instance, and Instances are never deleted`);
    if (targets.size >= targetsKept) targets.clear();
    targets.set(owned.id, target);
    return target;
  };

  return async ({
    tenantId,
    executionId,
    node,
    step,
    attempt,
    input,
    config,
    signal,
    listener,
  }): Promise<InvokeOutcome> => {
    const deployment = await deploymentOf(node.ownerTenantId, node.versionId);
    let endpoint = endpointFor(deployment, node.ownerTenantId, tenantId);
    const { generic } = node;
    if (generic && (deployment?.visibility === 'public' || node.ownerTenantId === tenantId)) {
      const serving = await deploymentOf(generic.tenantId, generic.versionId);
      endpoint = endpointFor(serving, generic.tenantId, node.ownerTenantId);
    }
    if (endpoint === undefined) {
      return { kind: 'unreachable', cause: 'connect', message: 'node not found or not yet deployed' };
    }
    const { id: name, requiredSecrets } = node;
    const declared = await declaredSecrets(secrets, tenantId, { name, requiredSecrets });
    if (!declared.ok) {
      return { kind: 'failure', message: declared.message, retryable: false, payloadJson: '' };
    }
    const target = generic && (await targetOf(node, generic));
    const startedAt = clock.now();
    const deadlineMs = startedAt + node.timeoutMs;
    const context = {
      executionId,
      node: target?.node ?? node.nodeName,
      placementId: node.id,
      tenantId,
      attempt,
      idempotencyId: `${executionId}:${step}`,
      deadlineMs,
      configJson: nodeConfigJson(node, config),
      ...(requiredSecrets.length > 0 && { secrets: declared.values }),
      traceparent: traceparentOf(attemptSpan(executionId, step, attempt)),
      ...(target && { binding: target.binding }),
    };
    const outcome = await containers.invoke(
      endpoint,
      { context, input },
      { deadlineMs, signal, ...listener },
    );
    metrics.observeNodeCall(node.packageName, outcome.kind, (clock.now() - startedAt) / 1000);
    return outcome;
  };
}
