/** Counted in tenths of a retry, which keeps the arithmetic exact. */
const retryCost = 10;

/**
 * A token bucket that limits the retries of a client while the service is
 * failing. It starts full. Each successful call returns a tenth of a retry.
 */
export class RetryBudget {
  readonly #capacity: number;
  #tenths: number;

  /** `retries` is the capacity; Infinity for no limit. */
  constructor(retries: number) {
    this.#capacity = retries * retryCost;
    this.#tenths = this.#capacity;
  }

  /** Takes one retry. Returns false if the budget is exhausted. */
  take(): boolean {
    if (this.#tenths < retryCost) return false;
    this.#tenths -= retryCost;
    return true;
  }

  /** Records a successful call. */
  succeeded(): void {
    this.#tenths = Math.min(this.#capacity, this.#tenths + 1);
  }
}
