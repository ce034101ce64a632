package svc.runtime.core;

/**
 * A token bucket that limits the retries of a client while the service is failing. It starts with
 * ten retries. Each successful call returns a tenth of a retry.
 */
final class RetryBudget {
  /** Counted in tenths, which keeps the arithmetic exact. */
  private static final int CAPACITY = 100;

  private static final int RETRY_COST = 10;

  private int spent;

  /** Takes one retry. Returns false if the budget is exhausted. */
  synchronized boolean take() {
    if (spent + RETRY_COST > CAPACITY) {
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
