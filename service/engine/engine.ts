import type { Logger } from 'pino';
import { limits } from '../../specs/limits.ts';
import { declaredSecrets } from '../access/secrets/declared-secrets.ts';
import type { SecretStore } from '../access/secrets/secret-store.ts';
import { dailyCaps } from '../access/daily-quota.ts';
import type { Clock } from '../clock.ts';
import { executionNotFound } from '../errors/execution-errors.ts';
import { branchNotCancellable, executionNotCancellable, flowNotQueued } from '../errors/flow-errors.ts';
import type { Ids } from '../ids.ts';
import type { Metrics } from '../metrics.ts';
import type { ContainerPool } from '../nodes/container/container-pool.ts';
import type { BlobStore } from '../store/blob-store.ts';
import type { Database } from '../store/database.ts';
import { findExecution } from '../store/executions.ts';
import { createHints } from '../store/hints.ts';
import { createRunWriter } from '../store/hot/run-writer.ts';
import { findJournalBody } from '../store/journal.ts';
import { beat, removeReplica } from '../store/replicas.ts';
import { type ClaimedRun, claimRun, releaseRuns } from '../store/run-claims.ts';
import { findTenant, type Tenant } from '../store/tenants.ts';
import { TransientMap } from '../transient-map.ts';
import type { Tracer } from '../telemetry/tracer.ts';
import { admitRun, type InvokeRequest } from './admit/admit-run.ts';
import { createLiveEvents, type LiveEvents } from './events/live-events.ts';
import { publishCommitted } from './events/publish-run.ts';
import type { CompiledGraph } from './graph/compiled-graph.ts';
import type { GraphGrowth } from './graph/graph-growth.ts';
import type { GraphLoader } from './graph/load-graph.ts';
import type { LoadedGraph } from './graph/loaded-graph.ts';
import { resolveConfig } from './graph/resolve-config.ts';
import type { EngineProbe } from './run/engine-probe.ts';
import { type GraphShape, shapeOf } from './run/graph-shape.ts';
import { inTime } from './run/in-time.ts';
import { createLiveRun, type Leaving, type LiveRun } from './run/live-run.ts';
import type { RunParts } from './run/run-parts.ts';
import { createRunRecovery } from './run/run-recovery.ts';
import type { RunState } from './run/run-state.ts';
import { createRunTrace, type RunTrace } from './run/run-trace.ts';
import { createStepCaller } from './run/step-caller.ts';
import { takeOver } from './run/take-over.ts';
import { createPolling } from './run/polling.ts';
import { readRunEnd, type RunEnd, runEndOf } from './wait/run-end.ts';
import { createRemoteWaits } from './wait/remote-waits.ts';
import { createWaiters } from './wait/waiters.ts';

export interface EngineOptions {
  db: Database;
  containers: Pick<ContainerPool, 'invoke'>;
  graphs: GraphLoader;
  growth: GraphGrowth;
  /** Where events are told as they happen. */
  live?: LiveEvents;
  /** Absent: nobody has secrets, and nodes that declare some do not run. */
  secrets?: Pick<SecretStore, 'values'>;
  blobs: BlobStore;
  clock: Clock;
  ids: Ids;
  metrics: Pick<Metrics, 'observeNodeCall'>;
  logger: Logger;
  /** Unique to this start of this process. */
  replicaId?: string;
  /** How often a replica says that it lives, and after how long a silence others take its runs over; milliseconds. */
  beatMs?: number;
  deadAfterMs?: number;
  /** How often runs are looked for that nobody told of: queued, due, or a dead replica's. */
  pollMs?: number;
  /** Runs in memory at once; more are queued. */
  maxLiveRuns?: number;
  parkAfterMs?: number;
  /** Absent: nobody makes spans. */
  tracer?: Tracer | undefined;
  probe?: EngineProbe;
}

export interface Invoked {
  executionId: string;
  graph: CompiledGraph;
  /** Another invocation of the same key or fingerprint had this execution before. */
  duplicate: boolean;
}

export interface WaitOptions {
  timeoutMs: number;
  /** Fires when nobody waits any more. */
  signal?: AbortSignal | undefined;
}

/** Runs flows durably (DESIGN.md 5 and 6): an accepted run ends, whatever process dies, and each transition is made once. */
export interface Engine {
  /** Begins to look for runs that nobody works on. */
  start(): Promise<void>;
  /** Takes nothing new, lets calls under way finish for `graceMs`, and leaves the rest to whoever comes next. */
  close(graceMs?: number): Promise<void>;
  /**
   * Accepts a run. Resolves once it is committed.
   *
   * @throws ApiError of `errors/flow-errors.ts`
   */
  invoke(tenant: Tenant, request: InvokeRequest): Promise<Invoked>;
  /** Waits for the end of a run, whichever replica it runs on; `running` when the time is over or the caller gone. */
  wait(tenantId: string, executionId: string, options: WaitOptions): Promise<RunEnd>;
  /** The process is about to end: whoever waits hears now how far the run is, and nobody waits from here on. */
  endWaits(): void;
  /** @throws ApiError 404 for an unknown execution, 409 for one that is over or a branch */
  cancel(tenantId: string, executionId: string): Promise<void>;
}

/** A run that another replica takes up meanwhile is asked for again. */
const cancelAttempts = 5;

export function createEngine(options: EngineOptions): Engine {
  const { db, graphs, blobs, clock, ids, logger, tracer, probe } = options;
  const { beatMs = 3_000, deadAfterMs = 15_000, pollMs = 1_000 } = options;
  const { maxLiveRuns = 10_000, parkAfterMs = 10_000, replicaId: replica = ids.ulid() } = options;
  const writer = createRunWriter({ db, windowMs: limits.idempotencyWindowMs, probe });
  const { live: events = createLiveEvents() } = options;
  const parts: RunParts = {
    writer,
    bodyOf: (tenantId, executionId, seq) => findJournalBody(db, { tenantId, executionId, seq }),
    blobs,
    callStep: createStepCaller(options),
    growth: options.growth,
    live: events,
    clock,
    ids,
    logger,
    parkAfterMs,
    probe,
  };
  const live = new TransientMap<string, LiveRun>();
  const waiters = createWaiters();
  const hints = createHints({ db, logger, onHint: (topic, executionId) => remote.hear(topic, executionId) });
  const remote = createRemoteWaits({
    send: (topic, executionId) => hints?.send(topic, executionId),
    isHere: (executionId) => live.has(executionId),
    wake: (executionId) => waiters.settle(executionId, undefined),
  });
  const shapes = new WeakMap<LoadedGraph, GraphShape>();
  let closing = false;
  let waiting = true;

  const shape = (loaded: LoadedGraph): GraphShape => {
    let known = shapes.get(loaded);
    if (!known) shapes.set(loaded, (known = shapeOf(loaded)));
    return known;
  };

  const traceOf = (tenant: Tenant, loaded: LoadedGraph, state: RunState): RunTrace | undefined =>
    tracer && createRunTrace({ tracer, tenant: tenant.handle, loaded, state });

  const onLeave =
    (tenantId: string, executionId: string) =>
    (how: Leaving, { end }: RunState): void => {
      live.delete(executionId);
      if (how === 'interrupted') recovery.interrupted({ tenantId, executionId });
      if (hints && how === 'ended') remote.ended(executionId);
      else if (hints) remote.left(executionId);
      waiters.settle(executionId, how === 'ended' && end ? runEndOf(end) : undefined);
    };

  const takeUp = async (claimed: ClaimedRun, { cancel = false } = {}): Promise<LiveRun | undefined> => {
    const { tenantId, executionId, graphId } = claimed;
    if (live.has(executionId)) return undefined;
    const [loaded, tenant] = await Promise.all([
      graphs.load(tenantId, graphId),
      findTenant(db.knex, tenantId),
    ]);
    if (!loaded || !tenant) throw new Error(`graph ${graphId} of execution ${executionId} is gone`);
    const run = await takeOver({
      db,
      parts,
      replica,
      claimed,
      loaded,
      shape: shape(loaded),
      caps: dailyCaps(tenant),
      traceOf: (state) => traceOf(tenant, loaded, state),
      cancel,
      onLeave: onLeave(tenantId, executionId),
    });
    if (run) live.set(executionId, run);
    return run;
  };

  const recovery = createRunRecovery({ db, replica, live, maxLiveRuns, deadAfterMs, takeUp, clock, logger });
  const beats = createPolling(
    beatMs,
    async () => {
      await beat(db.knex, replica);
      await recovery.letGo();
    },
    logger,
  );
  const looks = createPolling(pollMs, () => recovery.look(), logger);

  return {
    start: async () => {
      await blobs.check();
      await beats.start();
      await looks.start();
      hints?.start();
    },
    close: async (graceMs = 10_000) => {
      if (closing) return;
      closing = true;
      recovery.stop();
      await looks.stop();
      await inTime(Promise.all(live.values().map((run) => run.drain())), graceMs);
      for (const run of live.values()) run.drop();
      live.clear();
      waiters.close();
      await writer.close();
      await beats.stop();
      await hints?.close();
      await releaseRuns(db.knex, replica);
      await removeReplica(db.knex, replica);
    },
    invoke: async (tenant, request) => {
      if (closing) throw flowNotQueued();
      const outcome = await admitRun(
        {
          parts,
          replica,
          graphs,
          shapeOf: shape,
          config: (tenantId, graph, configId) => resolveConfig(db, tenantId, graph, configId),
          checkSecrets: (tenantId, node) => declaredSecrets(options.secrets, tenantId, node),
          hasRoom: () => live.size < maxLiveRuns,
        },
        tenant,
        request,
      );
      if (outcome.kind !== 'admitted') {
        const { executionId, graph, kind } = outcome;
        return { executionId, graph, duplicate: kind === 'duplicate' };
      }
      const { loaded, state, actions, first, pending, caps } = outcome.run;
      const { executionId } = state;
      const trace = traceOf(tenant, loaded, state);
      trace?.committed(first);
      publishCommitted(events, state, first);
      const run = createLiveRun({
        parts,
        tenantId: tenant.id,
        loaded,
        state,
        actions,
        seq: 1,
        caps,
        trace,
        onLeave: onLeave(tenant.id, executionId),
      });
      live.set(executionId, run);
      run.resume(pending);
      return { executionId, graph: loaded.graph, duplicate: false };
    },
    wait: async (tenantId, executionId, { timeoutMs, signal }) => {
      const deadline = performance.now() + timeoutMs;
      for (;;) {
        const left = deadline - performance.now();
        const here = live.has(executionId) && left > 0 && waiting;
        const end = here
          ? await waiters.next(executionId, left, signal)
          : await readRunEnd(db, blobs, { tenantId, executionId });
        if (end && end.kind !== 'running') return end;
        const isLast = !here && (!end || !waiting);
        if (isLast || left <= 0 || signal?.aborted || closing) return { kind: 'running' };
        if (here) continue;
        remote.watch(executionId);
        await waiters.next(executionId, Math.min(pollMs, left), signal);
      }
    },
    endWaits: () => {
      waiting = false;
      waiters.close();
    },
    cancel: async (tenantId, executionId) => {
      for (let attempt = 1; attempt <= cancelAttempts; attempt += 1) {
        const execution = await findExecution(db.knex, tenantId, executionId);
        if (!execution) throw executionNotFound();
        const root = execution.lineageRootExecutionId;
        if (root !== null) throw branchNotCancellable(root);
        // What was asked for before may be done, and heard of too late.
        if (attempt > 1 && execution.status === 'CANCELLED') return;
        if (execution.completedAt !== null) throw executionNotCancellable('the execution is over');
        const run = { tenantId, executionId, replica };
        const claimed = live.has(executionId) ? undefined : await claimRun(db.knex, run);
        // It may have been taken up while it was claimed.
        const here = live.get(executionId);
        here?.actions.cancel();
        const own = here ?? (claimed && (await takeUp(claimed, { cancel: true })));
        const ended = own && waiters.next(executionId, deadAfterMs, undefined);
        if (here) here.pump();
        else own?.resume();
        if ((await ended)?.kind === 'cancelled') return;
      }
      throw executionNotCancellable('the execution is changing hands: try again');
    },
  };
}
