import { dailyCaps } from '../../access/daily-quota.ts';
import { configProfileNotFound, quotaExceeded } from '../../errors/flow-errors.ts';
import { executionNotForkable, forkCheckpointNotFound } from '../../errors/fork-errors.ts';
import { pausedExecutionNotFound } from '../../errors/pause-errors.ts';
import type { MessageWorkers } from '../../messages/convert/message-workers.ts';
import type { SentMessage } from '../../nodes/call/message-form.ts';
import type { DailyCaps } from '../../store/commit/run-operation.ts';
import { findExecution } from '../../store/executions.ts';
import type { Tenant } from '../../store/tenants.ts';
import type { SpanContext } from '../../telemetry/trace-context.ts';
import {
  findRepetition,
  type Idempotency,
  quotaUsedUp,
  requireSecrets,
  type SecretCheck,
} from '../admit/store-admission.ts';
import { checkpointSeq } from '../events/checkpoint-id.ts';
import type { CompiledGraph, ConfigProfile } from '../graph/compiled-graph.ts';
import type { LoadedGraph } from '../graph/loaded-graph.ts';
import { graphOfState } from '../run/graph-of-state.ts';
import { admitFork, type AdmitForkOptions } from './admit-fork.ts';
import { findForkPoint } from './fork-point.ts';
import { readForkInput } from './read-input.ts';

/** A fork of a run. */
export interface ForkRequest {
  executionId: string;
  /** Defaults to the latest checkpoint. */
  checkpointId?: string | undefined;
  /** Input with which the only pending node of the checkpoint restarts. */
  input?: SentMessage | undefined;
  /** Name of a config profile. Defaults to the parent's profile. */
  configId?: string | undefined;
  idempotency: Idempotency;
  debugSessionId?: string | undefined;
  /** The span that the caller's `traceparent` names. */
  invokedBy?: SpanContext | undefined;
  /** If it aborts before the commit begins, the fork is refused. */
  signal?: AbortSignal | undefined;
  /** The tenant's use of its daily quotas before the request, if known. */
  usage?: DailyCaps | undefined;
}

interface ForkOptions extends AdmitForkOptions {
  graphs: { load(tenantId: string, graphId: string): Promise<LoadedGraph | undefined> };
  messages: Pick<MessageWorkers, 'convert'>;
  config: (tenantId: string, graph: CompiledGraph, configId: string) => Promise<ConfigProfile | undefined>;
  checkSecrets: SecretCheck;
}

/** A committed fork, or the execution that an earlier request with the same key started. */
interface ForkedRun {
  executionId: string;
  /** Whether an earlier request started the execution. */
  duplicate: boolean;
  /** The flow of the parent. */
  loaded: LoadedGraph;
}

/**
 * Forks a run: a new run continues from a checkpoint, with the history up to it. Its admission and the end of an open parent are one
 * commit. A parent that has ended does not change.
 *
 * @throws ApiError if the fork is refused; the parent then continues
 */
export async function forkRun(
  options: ForkOptions,
  tenant: Tenant,
  request: ForkRequest,
): Promise<ForkedRun> {
  const { db, parts, runs, messages } = options;
  const { executionId, checkpointId, configId, debugSessionId, idempotency, signal } = request;
  const tenantId = tenant.id;
  const loaded = await forkableFlow(options, tenantId, executionId);
  const seq = checkpointId === undefined ? undefined : checkpointSeq(executionId, checkpointId);
  if (checkpointId !== undefined && seq === undefined) throw forkCheckpointNotFound();
  const { graph } = loaded;
  const config = configId === undefined ? undefined : await options.config(tenantId, graph, configId);
  if (configId !== undefined && !config) throw configProfileNotFound(configId);
  await requireSecrets(options.checkSecrets, tenantId, graph, debugSessionId !== undefined);

  const caps = dailyCaps(tenant);
  const now = parts.clock.now();
  const usedUp = quotaUsedUp(request.usage, caps);
  if (usedUp) {
    const repeated = await findRepetition(parts, { tenantId, graph, idempotency });
    if (repeated !== undefined) return { executionId: repeated, duplicate: true, loaded };
    throw quotaExceeded(usedUp, { cap: caps[usedUp], now });
  }

  const base = { graph: loaded, shape: runs.shapeOf(loaded) };
  const point = await findForkPoint(db, base.shape, { tenantId, executionId, seq, now, signal });
  const current = await graphOfState(parts.mutations, base, point.state);
  const input =
    request.input &&
    (await readForkInput(
      messages,
      { graph: current.graph, state: point.state },
      { sent: request.input, caller: { tenantId, signal } },
    ));
  const began = {
    ...(config && { config }),
    ...(debugSessionId !== undefined && { debugSessionId }),
    ...(request.invokedBy && { invokedBy: request.invokedBy }),
  };
  const parent = { tenant, executionId, loaded, shape: base.shape };
  const child = await admitFork(options, parent, { point, ...current, input, began, idempotency, signal });
  return { ...child, loaded };
}

/**
 * Loads the flow of the execution to fork.
 *
 * @throws ApiError 404 or 409 unless the execution is a run of a unary flow
 */
async function forkableFlow(
  { db, graphs }: ForkOptions,
  tenantId: string,
  executionId: string,
): Promise<LoadedGraph> {
  const execution = await findExecution(db, tenantId, executionId);
  if (!execution) throw pausedExecutionNotFound();
  const { graphId, lineageRootExecutionId: root } = execution;
  if (graphId === null) throw executionNotForkable('the execution is a call of a node: call the node again');
  if (root !== null) throw executionNotForkable(`the execution is a branch of ${root}: fork that execution`);
  const loaded = await graphs.load(tenantId, graphId);
  if (!loaded) throw new Error(`graph ${graphId} of execution ${executionId} does not exist`);
  if (loaded.graph.mode === 'pipeline') {
    throw executionNotForkable('the flow has mode pipeline, whose frames are not kept: invoke it again');
  }
  return loaded;
}
