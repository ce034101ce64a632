import type { Logger } from 'pino';
import type { Clock } from '../../clock.ts';
import type { Database } from '../../store/database.ts';
import { deadReplicas } from '../../store/replicas.ts';
import { type ClaimedRun, claimRun, claimRuns, ownedRuns } from '../../store/run-claims.ts';
import type { TransientMap } from '../../transient-map.ts';
import type { ActiveRun } from './active-run.ts';

interface RunRecoveryOptions {
  db: Database;
  /** The claiming replica. */
  replica: string;
  /** The active runs of this process, by execution id. */
  runs: TransientMap<string, ActiveRun>;
  maxActiveRuns: number;
  /**
   * Time in milliseconds after which a replica without a heartbeat is dead, and a run that its owner does not work on counts as
   * abandoned.
   */
  deadAfterMs: number;
  /**
   * Takes over a claimed run and adds it to `runs`. Resolves with `undefined` if there is nothing to continue. Calls
   * `onWait` if the run is taken over but must wait for its turn to continue.
   */
  takeUp: (claimed: ClaimedRun, onWait: () => void) => Promise<ActiveRun | undefined>;
  clock: Clock;
  logger: Logger;
}

interface RunKey {
  tenantId: string;
  executionId: string;
}

const claimBatch = 50;

/** Finds the runs that no replica works on: queued, due, interrupted, or owned by a dead replica. */
export class RunRecovery {
  readonly #options: RunRecoveryOptions;
  readonly #interrupted = new Map<string, RunKey>();
  /** Takeovers in progress, by execution id. Their runs are claimed, but not active yet. They never reject. */
  readonly #taking = new Map<string, Promise<void>>();
  /** When this replica first found that it owns a run that no process works on, by execution id. */
  #leftSince = new Map<string, number>();
  #lastBeat: number | undefined;
  /** No replica is declared dead before this time. */
  #reliableFrom = -Infinity;
  #stopped = false;

  constructor(options: RunRecoveryOptions) {
    this.#options = options;
  }

  /** Whether this process has room for another run. Runs that wait for their turn count too. */
  get hasRoom(): boolean {
    return this.#room > 0;
  }

  get #room(): number {
    const { runs, maxActiveRuns } = this.#options;
    return maxActiveRuns - runs.size - this.#taking.size;
  }

  /**
   * Whether silent replicas count as dead. A replica that cannot store its own heartbeat cannot know whether the
   * others can.
   */
  get heartbeatsAreReliable(): boolean {
    return performance.now() >= this.#reliableFrom && !this.isSilent;
  }

  /** Whether the last heartbeat of this replica is so old that others may consider it dead, now or soon. */
  get isSilent(): boolean {
    const now = performance.now();
    return now - (this.#lastBeat ?? now) > this.#options.deadAfterMs / 2;
  }

  /** Picks up runs that no replica works on, as far as there is room. */
  async recover(): Promise<void> {
    const { db, replica, deadAfterMs, clock } = this.#options;
    for (const run of [...this.#interrupted.values()]) {
      const claimed = await claimRun(db.knex, { ...run, replica, from: replica });
      this.#interrupted.delete(run.executionId);
      if (claimed) await this.#begin(claimed);
    }
    const silent = await deadReplicas(db.knex, deadAfterMs);
    // Checked after the query, because the query may have waited out a database outage.
    const dead = this.heartbeatsAreReliable ? silent.filter((id) => id !== replica) : [];
    for (;;) {
      const limit = Math.min(claimBatch, this.#room);
      if (this.#stopped || limit <= 0) return;
      const claimed = await claimRuns(db.knex, { replica, dead, now: clock.now(), limit });
      await Promise.all(claimed.map((run) => this.#begin(run)));
      if (claimed.length < limit) return;
    }
  }

  /** Records that a run of this replica was interrupted. The next recovery picks it up again. */
  interrupted(run: RunKey): void {
    if (!this.#stopped) this.#interrupted.set(run.executionId, run);
  }

  /**
   * Records that this replica has stored a heartbeat. After a gap, for example because the database was unavailable,
   * the other replicas get time to store their own heartbeats before any counts as dead.
   */
  hasBeaten(): void {
    const { deadAfterMs } = this.#options;
    const now = performance.now();
    const gap = now - (this.#lastBeat ?? now);
    if (gap > deadAfterMs / 2) this.#reliableFrom = now + deadAfterMs / 2;
    this.#lastBeat = now;
  }

  /**
   * Compares the runs that this replica owns with the runs that it works on.
   *
   * Drops the runs that other replicas have claimed in the meantime. The fence would stop those runs too, but this
   * way their waiting callers are notified earlier. Also picks up runs that no process works on, for example after a
   * claim whose response was lost.
   *
   * @param isStreamed reports whether the run of a pipeline flow is open in this process
   */
  async reconcile(isStreamed: (executionId: string) => boolean): Promise<void> {
    const { db, replica, runs, deadAfterMs } = this.#options;
    const active = runs.values();
    const owned = await ownedRuns(db.knex, replica);
    for (const run of active) if (!owned.has(run.executionId)) run.loseUnlessCommitting();
    const now = performance.now();
    const leftSince = new Map<string, number>();
    for (const [executionId, tenantId] of owned) {
      if (runs.has(executionId) || isStreamed(executionId) || this.#taking.has(executionId)) continue;
      const since = this.#leftSince.get(executionId) ?? now;
      leftSince.set(executionId, since);
      if (now - since >= deadAfterMs) this.interrupted({ tenantId, executionId });
    }
    this.#leftSince = leftSince;
  }

  /** Stops picking up runs. Runs whose takeover is in progress are not activated. */
  stop(): void {
    this.#stopped = true;
  }

  /** Resolves once no takeover is in progress. */
  async settled(): Promise<void> {
    await Promise.all(this.#taking.values());
  }

  /**
   * Takes over a run. Also resolves when the run begins to wait for its turn. Otherwise small runs would be claimed
   * only after wide ones.
   */
  #begin(run: ClaimedRun): Promise<void> {
    const { executionId } = run;
    const { promise: waits, resolve } = Promise.withResolvers<undefined>();
    const taking = this.#takeUp(run, () => resolve(undefined)).finally(() => {
      // This replica may have lost the run in the meantime, and claimed it again.
      if (this.#taking.get(executionId) === taking) this.#taking.delete(executionId);
    });
    this.#taking.set(executionId, taking);
    return Promise.race([taking, waits]);
  }

  async #takeUp(run: ClaimedRun, onWait: () => void): Promise<void> {
    const { takeUp, logger } = this.#options;
    try {
      const taken = await takeUp(run, onWait);
      if (!this.#stopped) taken?.activate();
    } catch (error) {
      logger.error(
        { err: error, execution: run.executionId },
        'a run could not be taken up and will be retried',
      );
      this.#interrupted.set(run.executionId, run);
    }
  }
}
