import type { Logger } from 'pino';
import { limits } from '../../specs/limits.ts';
import { dailyCaps } from '../access/daily-quota.ts';
import type { Clock } from '../clock.ts';
import { flowNotQueued } from '../errors/flow-errors.ts';
import type { Ids } from '../ids.ts';
import type { MessageWorkers } from '../messages/convert/message-workers.ts';
import type { NodeCalls } from '../nodes/call/node-calls.ts';
import type { BlobStore } from '../objects/blob-store.ts';
import { createRunWriter, type RunWriter } from '../store/commit/run-writer.ts';
import type { Database } from '../store/database.ts';
import { findExecution } from '../store/executions.ts';
import { createHints, type Hints } from '../store/hints.ts';
import { findJournalBody } from '../store/journal.ts';
import type { Pause } from '../store/pauses.ts';
import { beat, removeReplica } from '../store/replicas.ts';
import { type ClaimedRun, ownedRuns, releaseRuns } from '../store/run-claims.ts';
import { findTenant, type Tenant } from '../store/tenants.ts';
import type { Tracer } from '../telemetry/tracer.ts';
import { TransientMap } from '../transient-map.ts';
import { type AdmittedRun, admitRun, type InvokeRequest } from './admit/admit-run.ts';
import { EventHub } from './events/event-hub.ts';
import { createRemoteFollows, type RemoteFollows } from './follow/remote-follows.ts';
import { topicSession } from './follow/topic-session.ts';
import type { GraphMutations } from './graph/mutation/graph-mutations.ts';
import type { GraphLoader } from './graph/load/load-graph.ts';
import type { LoadedGraph } from './graph/loaded-graph.ts';
import { resolveConfig } from './graph/resolve-config.ts';
import { type GraphShape, shapeOf } from './journal/graph-shape.ts';
import { loadedBytes } from './journal/payload.ts';
import type { RunState } from './journal/state.ts';
import { ActiveRun, type LeaveReason } from './run/active-run.ts';
import { callStep } from './run/call-step.ts';
import { cancelRun } from './run/cancel-run.ts';
import type { EngineProbe } from './run/engine-probe.ts';
import { inTime } from './run/in-time.ts';
import type { NextActions, PauseDecision } from './run/next-actions.ts';
import { createPolling, type Polling } from '../polling.ts';
import { resumeRun } from './run/resume-run.ts';
import type { RunParts } from './run/run-parts.ts';
import { RunRecovery } from './run/run-recovery.ts';
import { createRunTrace, type RunTrace } from './run/run-trace.ts';
import { takeOver, type TakeOverOptions } from './run/take-over.ts';
import { type ResultFrame, StreamRun } from './stream/stream-run.ts';
import { StreamRuns } from './stream/stream-runs.ts';
import { type RunEnd, runEndOf } from './wait/run-end.ts';
import { RunWaits, type WaitOptions } from './wait/run-waits.ts';

export interface EngineOptions {
  db: Database;
  calls: NodeCalls;
  messages: Pick<MessageWorkers, 'convert'>;
  graphs: GraphLoader;
  mutations: GraphMutations;
  /** Receives events as they happen. */
  events?: EventHub;
  blobs: BlobStore;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  /** Unique to this start of this process. */
  replicaId?: string;
  /** Interval of the heartbeat, and the silence after which other replicas take the runs over; milliseconds. */
  beatMs?: number;
  deadAfterMs?: number;
  /** Interval of the search for runs that no replica works on, milliseconds. */
  pollMs?: number;
  /** Runs in memory at once. Further ones are queued. */
  maxActiveRuns?: number;
  parkAfterMs?: number;
  /** Absent without a trace collector. */
  tracer?: Tracer | undefined;
  probe?: EngineProbe;
}

/** An open stream of a pipeline flow. */
interface Streamed {
  executionId: string;
  flow: LoadedGraph;
  /** Frames are made as they are pulled. The caller's signal cancels the run, however far it has been read. */
  frames: AsyncGenerator<ResultFrame, void, undefined>;
}

interface Invoked {
  executionId: string;
  /** The flow that the execution runs. A duplicate's may differ from the request's. */
  flow: LoadedGraph;
  /** An earlier invocation with the same key or fingerprint created the execution. */
  duplicate: boolean;
}

/** Runs flows durably: an accepted run ends even if processes die, and each of its transitions is committed exactly once. */
export class Engine {
  readonly #options: EngineOptions;
  readonly #replica: string;
  readonly #deadAfterMs: number;
  readonly #maxActiveRuns: number;
  readonly #writer: RunWriter;
  readonly #parts: RunParts;
  readonly #events: EventHub;
  readonly #runs = new TransientMap<string, ActiveRun>();
  readonly #streams = new StreamRuns();
  readonly #hints: Hints | undefined;
  readonly #follows: RemoteFollows;
  readonly #waits: RunWaits;
  readonly #recovery: RunRecovery;
  readonly #heartbeat: Polling;
  readonly #search: Polling;
  readonly #shapes = new WeakMap<LoadedGraph, GraphShape>();
  #closing = false;
  #closed = false;

  constructor(options: EngineOptions) {
    const { db, calls, blobs, mutations, clock, ids, logger, probe } = options;
    const { beatMs = 3_000, deadAfterMs = 15_000, pollMs = 1_000, parkAfterMs = 10_000 } = options;
    const { maxActiveRuns = 10_000, replicaId: replica = ids.ulid(), events = new EventHub() } = options;
    const runs = this.#runs;
    this.#options = options;
    this.#replica = replica;
    this.#deadAfterMs = deadAfterMs;
    this.#maxActiveRuns = maxActiveRuns;
    this.#events = events;
    this.#writer = createRunWriter({ db, windowMs: limits.idempotencyWindowMs, probe });
    this.#parts = {
      writer: this.#writer,
      bodyOf: (tenantId, executionId, seq) => findJournalBody(db, { tenantId, executionId, seq }),
      blobs,
      callStep: (call) => callStep({ calls, clock }, call),
      mutations,
      events,
      clock,
      ids,
      logger,
      parkAfterMs,
      isClosed: () => this.#closed,
      probe,
    };
    this.#hints = createHints({
      db,
      logger,
      onHint: (topic, id) => {
        this.#waits.receive(topic, id);
        this.#follows.receive(topic, id);
      },
    });
    this.#follows = createRemoteFollows({
      send: (topic, session) => this.#hints?.send(topic, session),
      wake: (session) => events.wake(session),
    });
    if (this.#hints) events.onStored((session) => this.#follows.stored(session));
    this.#waits = new RunWaits({
      db,
      blobs,
      hints: this.#hints,
      pollMs,
      isActive: (id) => runs.has(id),
      pauseOf: (id) => runs.get(id)?.waitingPause,
    });
    this.#recovery = new RunRecovery({
      db,
      replica,
      runs,
      maxActiveRuns,
      deadAfterMs,
      takeUp: (claimed) => this.#takeUp(claimed),
      clock,
      logger,
    });
    this.#heartbeat = createPolling(beatMs, () => this.#beat(), logger);
    this.#search = createPolling(pollMs, () => this.#recovery.recover(), logger);
  }

  /** Begins to take up runs that no replica works on. */
  async start(): Promise<void> {
    await this.#options.blobs.check();
    await this.#heartbeat.start();
    await this.#search.start();
    this.#hints?.start();
  }

  /** Accepts no further run, waits up to `graceMs` for open calls, and leaves unfinished runs to other replicas. */
  async close(graceMs = 10_000): Promise<void> {
    if (this.#closing) return;
    this.#closing = true;
    this.#waits.stop();
    this.#recovery.stop();
    await this.#search.stop();
    await inTime(this.#streams.cutOff(), graceMs);
    await inTime(Promise.all(this.#runs.values().map((run) => run.drain())), graceMs);
    for (const run of this.#runs.values()) run.drop();
    this.#runs.clear();
    this.#waits.wake();
    this.#closed = true;
    await this.#writer.close();
    await this.#heartbeat.stop();
    await this.#hints?.close();
    const { knex } = this.#options.db;
    await releaseRuns(knex, this.#replica);
    await removeReplica(knex, this.#replica);
  }

  /**
   * Accepts a run. Resolves once the run is committed.
   *
   * @throws ApiError if the invocation is refused
   */
  async invoke(tenant: Tenant, request: Omit<InvokeRequest, 'mode'>): Promise<Invoked> {
    const outcome = await this.#admit(tenant, { ...request, mode: 'unary' });
    const { kind, executionId, loaded } = outcome;
    if (kind === 'admitted') this.#activate(tenant, loaded, outcome.run);
    const duplicate = kind === 'duplicate';
    const flow = duplicate ? await this.#flowOf(tenant.id, executionId, loaded) : loaded;
    return { executionId, flow, duplicate };
  }

  /**
   * Accepts a run of a pipeline flow, and opens its stream. Resolves once the run is committed. Each call starts a run.
   *
   * @param timeoutMs the run fails after this time
   * @throws ApiError if the invocation is refused
   */
  async stream(
    tenant: Tenant,
    {
      signal,
      timeoutMs,
      ...request
    }: Omit<InvokeRequest, 'mode' | 'idempotency'> & { signal: AbortSignal; timeoutMs: number },
  ): Promise<Streamed> {
    const { calls, clock, ids } = this.#options;
    const deadlineMs = clock.now() + timeoutMs;
    const idempotency = { kind: 'fingerprint', hash: ids.ulid() } as const;
    const outcome = await this.#admit(tenant, { ...request, signal, idempotency, mode: 'pipeline' });
    if (outcome.kind !== 'admitted') throw flowNotQueued();
    const { executionId, loaded } = outcome;
    const { state, first, caps } = outcome.run;
    const trace = this.#traceOf(tenant, loaded, state);
    trace?.committed(first);
    this.#announce(tenant, state);
    const run = new StreamRun(
      {
        parts: this.#parts,
        calls,
        tenantId: tenant.id,
        loaded,
        state,
        shape: this.#shapeOf(loaded),
        caps,
        trace,
        deadlineMs,
        onLeave: () => this.#streams.remove(executionId),
      },
      state.input && loadedBytes(state.input),
    );
    this.#streams.add(run);
    const leave = (): void => void run.cancel();
    signal.addEventListener('abort', leave, { once: true });
    if (signal.aborted) leave();
    return { executionId, flow: loaded, frames: run.frames() };
  }

  /** Resolves with the end of a run, whichever replica it runs on, or with `running` once the time is over or the caller has left. */
  wait(tenantId: string, executionId: string, options: WaitOptions): Promise<RunEnd> {
    return this.#waits.wait(tenantId, executionId, options);
  }

  /** Asks the other replicas to report new events of a session. Repeat it every second or two. */
  announceFollowed(session: string): void {
    this.#follows.follow(session);
  }

  /** Answers every wait with the present state of its run, and ends the streams. For a process that is about to end. */
  endWaits(): void {
    this.#waits.endWaits();
    void this.#streams.cutOff();
  }

  /** @throws ApiError 404 for an unknown execution, 409 for a branch or an execution that is over */
  async cancel(tenantId: string, executionId: string): Promise<void> {
    if (await this.#streams.cancel(tenantId, executionId)) return;
    await cancelRun(
      {
        db: this.#options.db,
        runs: this.#runs,
        waits: this.#waits,
        takeUp: (claim) => this.#takeUp(claim, { decide: cancelNow, claims: true }),
        timeoutMs: this.#deadAfterMs,
      },
      { tenantId, executionId },
    );
  }

  /**
   * Delivers a decision to a run that waits for it. Resolves once a decision on the pause, or its end, is committed: with the pause,
   * and whether this decision is the one. `undefined` if the process is closing, or the run changes hands too often.
   */
  async resume(
    run: { tenantId: string; executionId: string },
    decision: PauseDecision,
  ): Promise<{ pause: Pause; won: boolean } | undefined> {
    if (this.#closing) return undefined;
    const { db } = this.#options;
    const takeUp = (claim: ClaimedRun, decide: (actions: NextActions) => boolean) =>
      this.#takeUp(claim, { decide, claims: true });
    return resumeRun({ db, runs: this.#runs, takeUp }, run, decision).catch((error: unknown) => {
      if (this.#closing) return undefined;
      throw error;
    });
  }

  async #beat(): Promise<void> {
    const { knex } = this.#options.db;
    await beat(knex, this.#replica);
    await this.#recovery.releaseLost();
    await this.#streams.releaseLost(() => ownedRuns(knex, this.#replica));
  }

  #admit(tenant: Tenant, request: InvokeRequest): ReturnType<typeof admitRun> {
    if (this.#closing) throw flowNotQueued();
    const { db, graphs, messages, calls } = this.#options;
    return admitRun(
      {
        parts: this.#parts,
        replica: this.#replica,
        graphs,
        messages,
        shapeOf: (loaded) => this.#shapeOf(loaded),
        config: (tenantId, graph, configId) => resolveConfig(db, tenantId, graph, configId),
        checkSecrets: (tenantId, node, use) => calls.readSecrets(tenantId, node, use),
        hasRoom: () => this.#runs.size < this.#maxActiveRuns,
      },
      tenant,
      request,
    );
  }

  /** Continues a run that was just admitted. */
  #activate(
    tenant: Tenant,
    loaded: LoadedGraph,
    { state, actions, first, pending, caps }: AdmittedRun,
  ): void {
    const { executionId } = state;
    const trace = this.#traceOf(tenant, loaded, state);
    trace?.committed(first);
    this.#announce(tenant, state);
    const run = new ActiveRun({
      parts: this.#parts,
      tenantId: tenant.id,
      loaded,
      state,
      actions,
      seq: 1,
      caps,
      epoch: 0,
      trace,
      onPause: (pauseId) => this.#waits.paused(executionId, pauseId),
      onLeave: this.#onLeave(tenant.id, executionId),
    });
    this.#runs.set(executionId, run);
    run.resume(pending);
  }

  /** The first row of a run is committed. */
  #announce(tenant: Tenant, { executionId, debugSessionId }: RunState): void {
    this.#events.stored(executionId);
    if (debugSessionId !== undefined) this.#events.stored(topicSession(tenant.id, debugSessionId));
  }

  async #takeUp(
    claimed: ClaimedRun,
    { decide, claims }: Pick<TakeOverOptions, 'decide' | 'claims'> = {},
  ): Promise<ActiveRun | undefined> {
    const { tenantId, executionId, graphId, epoch } = claimed;
    const present = this.#runs.get(executionId);
    if (present && (claims || present.epoch >= epoch)) return undefined;
    // Another replica has had the run since, and given it up.
    present?.lose();
    const { db, graphs } = this.#options;
    const [loaded, tenant] = await Promise.all([
      graphs.load(tenantId, graphId),
      findTenant(db.knex, tenantId),
    ]);
    if (!loaded || !tenant) throw new Error(`graph ${graphId} of execution ${executionId} does not exist`);
    const run = await takeOver({
      db,
      parts: this.#parts,
      replica: this.#replica,
      claimed,
      loaded,
      shape: this.#shapeOf(loaded),
      caps: dailyCaps(tenant),
      traceOf: (state) => this.#traceOf(tenant, loaded, state),
      decide,
      claims: claims ?? false,
      onPause: (pauseId) => this.#waits.paused(executionId, pauseId),
      onLeave: this.#onLeave(tenantId, executionId),
    });
    if (!run) return undefined;
    // Another claim of this process may have come first, and the later one counts.
    this.#runs.get(executionId)?.lose();
    this.#runs.set(executionId, run);
    return run;
  }

  #onLeave(tenantId: string, executionId: string): (reason: LeaveReason, state: RunState) => void {
    return (reason, { end }) => {
      // A later takeover by this process may have replaced the run.
      if (this.#runs.get(executionId)?.hasLeft) this.#runs.delete(executionId);
      if (reason === 'interrupted') this.#recovery.interrupted({ tenantId, executionId });
      if (reason === 'ended') this.#waits.ended(executionId, end && runEndOf(end));
      else this.#waits.left(executionId);
    };
  }

  /** An idempotency key may have started a run of another flow. */
  async #flowOf(tenantId: string, executionId: string, requested: LoadedGraph): Promise<LoadedGraph> {
    const { db, graphs } = this.#options;
    const graphId = (await findExecution(db.knex, tenantId, executionId))?.graphId;
    if (!graphId || graphId === requested.graph.graphId) return requested;
    return (await graphs.load(tenantId, graphId)) ?? requested;
  }

  #shapeOf(loaded: LoadedGraph): GraphShape {
    let shape = this.#shapes.get(loaded);
    if (!shape) this.#shapes.set(loaded, (shape = shapeOf(loaded)));
    return shape;
  }

  #traceOf(tenant: Tenant, loaded: LoadedGraph, state: RunState): RunTrace | undefined {
    const { tracer } = this.#options;
    return tracer && createRunTrace({ tracer, tenant: tenant.handle, loaded, state });
  }
}

function cancelNow(actions: NextActions): boolean {
  actions.cancel();
  return true;
}
