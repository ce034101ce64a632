import type { StreamRun } from './stream-run.ts';

/** The runs of pipeline flows that this process works on. */
export class StreamRuns {
  readonly #runs = new Map<string, StreamRun>();

  add(run: StreamRun): void {
    this.#runs.set(run.executionId, run);
  }

  /** Reports whether this process works on the run. */
  has(executionId: string): boolean {
    return this.#runs.has(executionId);
  }

  remove(executionId: string): void {
    this.#runs.delete(executionId);
  }

  /** Cancels a run of the tenant. Returns false if it does not run here, or has ended otherwise. */
  async cancel(tenantId: string, executionId: string): Promise<boolean> {
    const run = this.#runs.get(executionId);
    if (run?.tenantId !== tenantId) return false;
    return run.cancel();
  }

  /** Ends all runs, because the process is about to exit. Resolves once their ends are committed. */
  async cutOff(): Promise<void> {
    await Promise.all(this.#runs.values().map((run) => run.cutOff()));
  }

  /**
   * Drops the runs that other replicas have claimed in the meantime.
   *
   * @param ownedNow reads the ids of the runs that this replica owns
   */
  async releaseLost(ownedNow: () => Promise<ReadonlyMap<string, unknown>>): Promise<void> {
    const before = [...this.#runs.values()];
    if (before.length === 0) return;
    const owned = await ownedNow();
    for (const run of before) if (!owned.has(run.executionId)) run.loseUnlessCommitting();
  }
}
