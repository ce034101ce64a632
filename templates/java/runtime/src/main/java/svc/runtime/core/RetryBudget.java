package svc.runtime.core;

/**
 * A token bucket that limits the retries of a client while the service is failing. A call that
 * succeeds by a retry returns one retry, and any other successful call returns a tenth of one.
 */
final class RetryBudget {
  /** Retries are counted in tenths, which keeps the arithmetic exact. */
  private static final long RETRY_COST = 10;

  private final long capacity;
  private long spent;

  /** Creates a full budget. */
  RetryBudget(int retries) {
    capacity = retries * RETRY_COST;
  }

  /** Takes one retry. Returns false if the budget is exhausted. */
  synchronized boolean take() {
    if (spent + RETRY_COST > capacity) {
      return false;
    }
    spent += RETRY_COST;
    return true;
  }

  /**
   * Records a successful call.
   *
   * @param byRetry whether the call succeeded by a retry
   */
  synchronized void succeeded(boolean byRetry) {
    spent = Math.max(0, spent - (byRetry ? RETRY_COST : 1));
  }
}
