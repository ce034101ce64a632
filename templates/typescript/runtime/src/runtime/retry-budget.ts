/** In tenths of a retry, so that sums are exact. */
const capacity = 100;
const retryCost = 10;

/**
 * Keeps the retries of a client in proportion to its successes, so that many
 * clients together cannot storm a service that is down: there are ten retries at
 * first, and every call that succeeds gives a tenth of one back.
 */
export class RetryBudget {
  #tenths = capacity;

  /** Takes one retry; false when there is none. */
  take(): boolean {
    if (this.#tenths < retryCost) return false;
    this.#tenths -= retryCost;
    return true;
  }

  /** Tells of a call that succeeded. */
  succeeded(): void {
    this.#tenths = Math.min(capacity, this.#tenths + 1);
  }
}
