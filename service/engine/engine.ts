import type { Logger } from 'pino';
import { limits } from '../../specs/limits.ts';
import type { Clock } from '../clock.ts';
import { inTime } from '../in-time.ts';
import { ApiError } from '../errors/api-error.ts';
import { flowNotQueued } from '../errors/flow-errors.ts';
import { databaseUnavailable } from '../errors/request-errors.ts';
import type { Ids } from '../ids.ts';
import type { MessageWorkers } from '../messages/convert/message-workers.ts';
import type { Metrics } from '../metrics.ts';
import type { NodeCalls } from '../nodes/call/node-calls.ts';
import { type BlobStore, BlobUnavailableError } from '../objects/blob-store.ts';
import { createRunWriter, type RunWriter } from '../store/commit/run-writer.ts';
import type { Database } from '../store/database.ts';
import { findExecution } from '../store/executions.ts';
import { createHints, type Hints } from '../store/hints.ts';
import { findJournalBody } from '../store/journal.ts';
import { findPause, type Pause } from '../store/pauses.ts';
import { beat, removeReplica } from '../store/replicas.ts';
import { ownedRuns, releaseRuns } from '../store/run-claims.ts';
import type { Tenant } from '../store/tenants.ts';
import type { Tracer } from '../telemetry/tracer.ts';
import { FairQueue } from '../work/fair-queue.ts';
import { admitRun, type InvokeRequest } from './admit/admit-run.ts';
import { beganWith } from './admit/began-with.ts';
import type { SecretCheck } from './admit/store-admission.ts';
import type { EventHub } from './events/event-hub.ts';
import { createRemoteFollows, type RemoteFollows } from './follow/remote-follows.ts';
import { type ForkRequest, forkRun } from './fork/fork-run.ts';
import type { CompiledGraph } from './graph/compiled-graph.ts';
import type { GraphMutations } from './graph/mutation/graph-mutations.ts';
import type { GraphLoader } from './graph/load/load-graph.ts';
import type { LoadedGraph } from './graph/loaded-graph.ts';
import { resolveConfig } from './graph/resolve-config.ts';
import { loadedBytes } from './journal/payload.ts';
import { callStep } from './run/call-step.ts';
import { cancelRun } from './run/cancel-run.ts';
import type { EngineProbe } from './run/engine-probe.ts';
import { LocalRuns } from './run/local-runs.ts';
import type { NextActions, PauseDecision } from './run/next-actions.ts';
import { createPolling, type Polling } from '../polling.ts';
import { resumeRun, type ResumeOptions } from './run/resume-run.ts';
import type { RunParts } from './run/run-parts.ts';
import { RunRecovery } from './run/run-recovery.ts';
import { type ResultFrame, StreamRun } from './stream/stream-run.ts';
import { StreamRuns } from './stream/stream-runs.ts';
import type { RunEnd } from './wait/run-end.ts';
import { KeyedQueue } from './run/keyed-queue.ts';
import { RunWaits, type WaitOptions } from './wait/run-waits.ts';

/** The parts that the engine uses, and its intervals. The caller closes the parts after the engine. */
export interface EngineOptions {
  db: Database;
  calls: NodeCalls;
  messages: Pick<MessageWorkers, 'convert'>;
  graphs: GraphLoader;
  mutations: GraphMutations;
  /** Receives events as they happen. */
  events: EventHub;
  blobs: BlobStore;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  /** Counts ended runs. */
  metrics: Pick<Metrics, 'countRun'>;
  /** Unique to this start of this process. */
  replicaId: string;
  /** Interval of the heartbeat, and the silence after which other replicas take over the runs, in milliseconds. */
  beatMs?: number;
  deadAfterMs?: number;
  /** How often to search for runs that no replica works on, in milliseconds. */
  pollMs?: number;
  /** Maximum number of runs in memory. Further runs are queued. */
  maxActiveRuns?: number;
  /** Runs that only wait leave memory if the wait is longer than this, in milliseconds. */
  parkAfterMs?: number;
  /** How long a decision or a cancellation waits for the database, in milliseconds. */
  storeMs?: number;
  /** Absent without a trace collector. */
  tracer?: Tracer | undefined;
  /** Only tests set it. */
  probe?: EngineProbe;
}

/** An open stream of a pipeline flow. */
interface Streamed {
  executionId: string;
  flow: LoadedGraph;
  /**
   * Yields frames as the caller reads them. The caller's signal cancels the run, no matter how far it has been read.
   */
  frames: AsyncGenerator<ResultFrame, void, undefined>;
}

interface Invoked {
  executionId: string;
  /** The flow that the execution runs. The flow of a duplicate may differ from the request's. */
  flow: LoadedGraph;
  /** Whether an earlier invocation with the same key or fingerprint created the execution. */
  duplicate: boolean;
  /** Whether that invocation had a different input. */
  otherInput: boolean;
}

/** Maximum number of concurrent forks, across all tenants. */
const forksAtOnce = 8;

/** Runs flows durably: an accepted run ends even if processes die, and each of its transitions is committed exactly once. */
export class Engine {
  readonly #options: EngineOptions;
  readonly #replica: string;
  readonly #deadAfterMs: number;
  readonly #storeMs: number;
  readonly #writer: RunWriter;
  readonly #parts: RunParts;
  readonly #runs: LocalRuns;
  readonly #streams = new StreamRuns();
  readonly #hints: Hints | undefined;
  readonly #follows: RemoteFollows;
  /** A fork holds the history that it copies, so each tenant has one at a time. */
  readonly #forks: FairQueue;
  /** Serializes the decisions on a pause, so that losing decisions draw no quota. */
  readonly #decisions = new KeyedQueue();
  readonly #waits: RunWaits;
  readonly #recovery: RunRecovery;
  /** The heartbeat that `endSilence` is storing. */
  #endingSilence: Promise<void> | undefined;
  readonly #heartbeat: Polling;
  readonly #comparison: Polling;
  readonly #search: Polling;
  #closing = false;
  #closed = false;

  constructor(options: EngineOptions) {
    const { db, calls, messages, blobs, mutations, events, clock, ids, logger, metrics, probe } = options;
    const { replicaId: replica, beatMs = 3_000, deadAfterMs = 15_000, pollMs = 1_000 } = options;
    const { parkAfterMs = 10_000, storeMs = 30_000, maxActiveRuns = 10_000 } = options;
    this.#options = options;
    this.#replica = replica;
    this.#deadAfterMs = deadAfterMs;
    this.#storeMs = storeMs;
    this.#forks = new FairQueue({ clock, slots: forksAtOnce, slotsPerTenant: 1 });
    this.#writer = createRunWriter({ db, windowMs: limits.idempotencyWindowMs, probe });
    this.#parts = {
      writer: this.#writer,
      bodyOf: (tenantId, executionId, seq) => findJournalBody(db, { tenantId, executionId, seq }),
      blobs,
      callStep: (call) => callStep({ calls, clock }, call),
      logTokens: calls.logTokens,
      messages,
      mutations,
      events,
      clock,
      ids,
      logger,
      metrics,
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
    this.#runs = new LocalRuns({
      db,
      replica,
      parts: this.#parts,
      graphs: options.graphs,
      tracer: options.tracer,
      waits: () => this.#waits,
      onInterrupted: (run) => this.#recovery.interrupted(run),
    });
    const { active } = this.#runs;
    this.#waits = new RunWaits({
      db,
      blobs,
      hints: this.#hints,
      pollMs,
      isActive: (id) => active.has(id),
      pauseOf: (id) => active.get(id)?.waitingPause,
    });
    this.#recovery = new RunRecovery({
      db,
      replica,
      runs: active,
      maxActiveRuns,
      deadAfterMs,
      takeUp: (claimed, onWait) => this.#runs.takeUp(claimed, { onWait }),
      clock,
      logger,
    });
    this.#heartbeat = createPolling(beatMs, () => this.#beat(), logger);
    this.#comparison = createPolling(beatMs, () => this.#compareOwned(), logger);
    this.#search = createPolling(pollMs, () => this.#recovery.recover(), logger);
  }

  /** Starts picking up runs that no replica works on. */
  async start(): Promise<void> {
    await this.#options.blobs.check();
    await this.#heartbeat.start();
    await this.#comparison.start();
    await this.#search.start();
    this.#hints?.start();
  }

  /**
   * Accepts no further runs, waits up to `graceMs` milliseconds for open calls, and leaves unfinished runs to other
   * replicas.
   */
  async close(graceMs = 10_000): Promise<void> {
    if (this.#closing) return;
    this.#closing = true;
    this.#waits.stop();
    this.#recovery.stop();
    this.#runs.stop();
    this.#forks.close();
    const searched = this.#search.stop().then(() => this.#recovery.settled());
    await inTime(Promise.all([searched, this.#streams.cutOff()]), graceMs);
    const { active } = this.#runs;
    await inTime(Promise.all(active.values().map((run) => run.drain())), graceMs);
    for (const run of active.values()) run.drop();
    active.clear();
    this.#waits.wake();
    this.#closed = true;
    await this.#writer.close();
    // A search that cannot store a transition retries until now. The runs that it has claimed are released below.
    await searched;
    await this.#comparison.stop();
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
    if (kind === 'admitted') this.#runs.activate(tenant, loaded, outcome.run);
    if (kind !== 'duplicate') return { executionId, flow: loaded, duplicate: false, otherInput: false };
    const flow = await this.#flowOf(tenant.id, executionId, loaded);
    const { graph } = loaded;
    const type = flow.graph.graphId === graph.graphId ? loaded.node(graph.entry).input : undefined;
    // Equal fingerprints have equal inputs.
    const otherInput =
      request.idempotency.kind === 'key' &&
      !(await beganWith(this.#options, { tenantId: tenant.id, executionId }, outcome.input, type));
    return { executionId, flow, duplicate: true, otherInput };
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
    const { calls, ids } = this.#options;
    const endsAt = performance.now() + timeoutMs;
    const idempotency = { kind: 'fingerprint', hash: ids.ulid() } as const;
    await this.endSilence();
    const outcome = await this.#admit(tenant, { ...request, signal, idempotency, mode: 'pipeline' });
    if (outcome.kind !== 'admitted') throw flowNotQueued();
    const { executionId, loaded } = outcome;
    const { state, caps } = outcome.run;
    const run = new StreamRun(
      {
        parts: this.#parts,
        calls,
        tenantId: tenant.id,
        loaded,
        state,
        shape: this.#runs.shapeOf(loaded),
        caps,
        trace: this.#runs.begin(tenant, loaded, outcome.run),
        endsAt,
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

  /**
   * Forks a run: a new run continues from a checkpoint, and an open parent ends. Resolves once both are committed.
   *
   * @throws ApiError if the fork is refused
   */
  async fork(tenant: Tenant, request: ForkRequest): Promise<Omit<Invoked, 'otherInput'>> {
    if (this.#closing) throw flowNotQueued();
    const { db, graphs, messages, clock } = this.#options;
    const options = { ...this.#admitting(), db, runs: this.#runs, graphs, messages };
    let forking: ReturnType<typeof forkRun> | undefined;
    const start = (signal: AbortSignal): ReturnType<typeof forkRun> =>
      (forking = forkRun(options, tenant, { ...request, signal }));
    const waiting = { deadlineMs: clock.now() + limits.forkMs, signal: request.signal };
    const { executionId, duplicate, loaded } = await this.#forks
      .run(tenant.id, start, waiting)
      .catch(async (error: unknown) => {
        // A fork that has started may still be committed after its deadline. It finishes soon, so its own outcome is
        // returned.
        if (forking) return forking;
        throw error;
      })
      .catch((error: unknown) => {
        throw this.#closing && !(error instanceof ApiError) ? flowNotQueued() : error;
      });
    return { executionId, duplicate, flow: await this.#flowOf(tenant.id, executionId, loaded) };
  }

  /** Resolves with the end of a run on any replica, or with `running` after the timeout or once the caller has left. */
  wait(tenantId: string, executionId: string, options: WaitOptions): Promise<RunEnd> {
    return this.#waits.wait(tenantId, executionId, options);
  }

  /** Asks the other replicas to announce new events of a session. Repeat the call every second or two. */
  announceFollowed(session: string): void {
    this.#follows.follow(session);
  }

  /** Resolves every wait with the current state of its run, and ends the streams. For a process that is about to exit. */
  endWaits(): void {
    this.#waits.endWaits();
    void this.#streams.cutOff();
  }

  /**
   * Cancels a run on any replica. Resolves once its end is committed.
   *
   * @throws ApiError 404 for an unknown execution, 409 for a branch or an execution that has ended, 503 if the
   *   database is unavailable for half a minute; the run may still be cancelled
   */
  async cancel(tenantId: string, executionId: string): Promise<void> {
    if (await this.#streams.cancel(tenantId, executionId)) return;
    const cancelled = cancelRun(
      {
        db: this.#options.db,
        runs: this.#runs.active,
        waits: this.#waits,
        takeUp: (claim) => this.#runs.takeUp(claim, { decide: cancelNow, claims: true }),
        timeoutMs: this.#deadAfterMs,
      },
      { tenantId, executionId },
    );
    const done = cancelled.then(() => true);
    if (!(await inTime(done, this.#storeMs))) throw databaseUnavailable();
  }

  /**
   * Delivers a decision to a run that waits for it. Resolves once a decision on the pause, or the end of the pause,
   * is committed. The result contains the pause, and whether this decision is the committed one. If the pause expires
   * first, the pause in the result may still be `WAITING`.
   *
   * Resolves with `undefined` if the process is closing, the run changes hands too often, the database is unavailable
   * for half a minute, or a large decision cannot be stored. In all cases but the last, the decision may still be
   * committed.
   *
   * In the third parameter, `draw` draws an invocation if the commit of the decision cannot, and `known` is what the
   * caller has already read about the pause.
   *
   * @throws ApiError 429 if the quota has no invocation left
   */
  async resume(
    run: { tenantId: string; executionId: string },
    decision: PauseDecision,
    { draw, known }: Pick<ResumeOptions, 'draw' | 'known'> = {},
  ): Promise<{ pause: Pause; won: boolean } | undefined> {
    if (this.#closing) return undefined;
    const { db, clock } = this.#options;
    const takeUp: ResumeOptions['takeUp'] = (claim, how) =>
      this.#runs.takeUp(claim, { ...how, claims: true });
    const resume = () =>
      resumeRun({ db, clock, runs: this.#runs.active, takeUp, draw, known }, run, decision);
    const deliver = async (waited: boolean) => {
      const decided = waited ? await findPause(db, run.tenantId, decision.pauseId) : undefined;
      return decided && decided.status !== 'WAITING' ? { pause: decided, won: false } : resume();
    };
    const delivered = this.#decisions.run(decision.pauseId, deliver).catch((error: unknown) => {
      if (this.#closing) return undefined;
      if (error instanceof BlobUnavailableError) {
        this.#options.logger.error(
          { err: error, execution: run.executionId },
          'a decision could not be stored',
        );
        return undefined;
      }
      throw error;
    });
    return inTime(delivered, this.#storeMs);
  }

  /**
   * Whether silent replicas count as dead. They do not while this replica cannot store its own heartbeat, or has only
   * just stored one again.
   */
  get heartbeatsAreReliable(): boolean {
    return this.#recovery.heartbeatsAreReliable;
  }

  /**
   * Stores a heartbeat if the last one is old, because the database was unavailable or this process was suspended.
   * Otherwise other replicas could immediately take over what this one starts next. A run survives a takeover, but a
   * stream does not. A failure is ignored, because the commit that follows reports it.
   */
  async endSilence(): Promise<void> {
    if (!this.#recovery.isSilent) return;
    this.#endingSilence ??= this.#beat()
      .catch(() => undefined)
      .finally(() => {
        this.#endingSilence = undefined;
      });
    await this.#endingSilence;
  }

  async #beat(): Promise<void> {
    const { knex, heartbeats = knex } = this.#options.db;
    await beat(heartbeats, this.#replica);
    this.#recovery.hasBeaten();
  }

  async #compareOwned(): Promise<void> {
    const { knex } = this.#options.db;
    await this.#recovery.reconcile((executionId) => this.#streams.has(executionId));
    await this.#streams.releaseLost(() => ownedRuns(knex, this.#replica));
  }

  #admit(tenant: Tenant, request: InvokeRequest): ReturnType<typeof admitRun> {
    if (this.#closing) throw flowNotQueued();
    const { graphs, messages } = this.#options;
    const shapeOf = (loaded: LoadedGraph) => this.#runs.shapeOf(loaded);
    return admitRun({ ...this.#admitting(), graphs, messages, shapeOf }, tenant, request);
  }

  #admitting() {
    const { db, calls } = this.#options;
    return {
      parts: this.#parts,
      replica: this.#replica,
      config: (tenantId: string, graph: CompiledGraph, configId: string | undefined) =>
        resolveConfig(db, tenantId, graph, configId),
      checkSecrets: ((tenantId, node, use) => calls.readSecrets(tenantId, node, use)) satisfies SecretCheck,
      hasRoom: () => this.#recovery.hasRoom,
      inDoubt: (run: { tenantId: string; executionId: string }) => this.#recovery.interrupted(run),
    };
  }

  /**
   * Returns the flow of an execution. An earlier request with the same idempotency key may have started another flow.
   */
  async #flowOf(tenantId: string, executionId: string, requested: LoadedGraph): Promise<LoadedGraph> {
    const { db, graphs } = this.#options;
    const graphId = (await findExecution(db, tenantId, executionId))?.graphId;
    if (!graphId || graphId === requested.graph.graphId) return requested;
    return (await graphs.load(tenantId, graphId)) ?? requested;
  }
}

function cancelNow(actions: NextActions): boolean {
  actions.cancel();
  return true;
}
