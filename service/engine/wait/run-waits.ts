import type { BlobStore } from '../../objects/blob-store.ts';
import type { Database } from '../../store/database.ts';
import type { Hints, HintTopic } from '../../store/hints.ts';
import { createRemoteWaits, type RemoteWaits } from './remote-waits.ts';
import { readRunEnd, type RunEnd } from './run-end.ts';
import { createWaiters } from './waiters.ts';

/** How long a caller waits for a run. */
export interface WaitOptions {
  /** Milliseconds after which the wait resolves with `running`. */
  timeoutMs: number;
  /** Fires when the caller has left. */
  signal?: AbortSignal | undefined;
}

interface RunWaitsOptions {
  db: Database;
  blobs: BlobStore;
  /** Absent on a database without notifications. */
  hints: Pick<Hints, 'send'> | undefined;
  /** How often the database is polled for the end of another replica's run, in milliseconds. */
  pollMs: number;
  /** Reports whether a run is active in this process. */
  isActive: (executionId: string) => boolean;
  /** Returns the committed pause of an active run that waits for a decision. */
  pauseOf: (executionId: string) => string | undefined;
}

/** Waits for the ends of runs on any replica. */
export class RunWaits {
  readonly #options: RunWaitsOptions;
  readonly #waiters = createWaiters();
  readonly #remote: RemoteWaits;
  #accepting = true;
  #stopped = false;

  constructor(options: RunWaitsOptions) {
    const { hints, isActive } = options;
    this.#options = options;
    this.#remote = createRemoteWaits({
      send: (topic, executionId) => hints?.send(topic, executionId),
      isActive,
      wake: (executionId) => this.#waiters.settle(executionId, undefined),
    });
  }

  /** Handles an announcement of another replica. */
  receive(topic: HintTopic, executionId: string): void {
    this.#remote.receive(topic, executionId);
  }

  /** Resolves with the end or the pause of a run, or with `running` after the timeout or once the caller has left. */
  async wait(tenantId: string, executionId: string, { timeoutMs, signal }: WaitOptions): Promise<RunEnd> {
    const { db, blobs, pollMs, isActive, pauseOf } = this.#options;
    const deadline = performance.now() + timeoutMs;
    for (;;) {
      const left = deadline - performance.now();
      const pauseId = pauseOf(executionId);
      if (pauseId !== undefined) return { kind: 'paused', pauseId };
      const here = isActive(executionId) && left > 0 && this.#accepting;
      const end = here
        ? await this.#waiters.next(executionId, left, signal)
        : await readRunEnd(db, blobs, { tenantId, executionId }).catch((error: unknown) => {
            // The run continues while the database is unavailable.
            if (left <= 0 || !this.#accepting || this.#stopped) throw error;
            return { kind: 'running' as const };
          });
      if (end && end.kind !== 'running') return end;
      const isLast = !here && (!end || !this.#accepting);
      if (isLast || left <= 0 || signal?.aborted || this.#stopped) return { kind: 'running' };
      if (here) continue;
      this.#remote.watch(executionId);
      await this.#waiters.next(executionId, Math.min(pollMs, left), signal);
    }
  }

  /** Resolves with the end of a run of this process, or with `undefined` after the timeout or once it has left the process. */
  next(executionId: string, timeoutMs: number): Promise<RunEnd | undefined> {
    return this.#waiters.next(executionId, timeoutMs, undefined);
  }

  /** Reports that a run of this process waits for a decision on a pause, which is committed. */
  paused(executionId: string, pauseId: string): void {
    if (this.#options.hints) this.#remote.paused(executionId);
    this.#waiters.settle(executionId, { kind: 'paused', pauseId });
  }

  /** Reports that a run of this process has ended, and its end is committed. */
  ended(executionId: string, end: RunEnd | undefined): void {
    if (this.#options.hints) this.#remote.ended(executionId);
    this.#waiters.settle(executionId, end);
  }

  /** Reports that a run has left this process before its end. */
  left(executionId: string): void {
    if (this.#options.hints) this.#remote.left(executionId);
    this.#waiters.settle(executionId, undefined);
  }

  /** Resolves all current and future waits with the current state of their runs. */
  endWaits(): void {
    this.#accepting = false;
    this.#waiters.close();
  }

  /** Ends each wait once its run leaves this process. */
  stop(): void {
    this.#stopped = true;
  }

  /** Wakes every wait. */
  wake(): void {
    this.#waiters.close();
  }
}
