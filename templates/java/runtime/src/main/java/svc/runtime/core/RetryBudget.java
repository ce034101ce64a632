package svc.runtime.core;

/**
 * A token bucket that limits the retries of a client while the service is failing. Each successful
 * call returns a tenth of a retry.
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

  /** Records a successful call. */
  synchronized void succeeded() {
    spent = Math.max(0, spent - 1);
  }
}
