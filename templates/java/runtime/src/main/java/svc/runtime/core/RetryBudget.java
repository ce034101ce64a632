package svc.runtime.core;

/**
 * Keeps the retries of a client in proportion to its successes, so that many clients together
 * cannot storm a service that is down: there are ten retries at first, and every call that succeeds
 * gives a tenth of one back.
 */
final class RetryBudget {
  /** In tenths, so that sums are exact. */
  private static final int CAPACITY = 100;

  private static final int RETRY_COST = 10;

  private int spent;

  /** Takes one retry; false when there is none. */
  synchronized boolean take() {
    if (spent + RETRY_COST > CAPACITY) {
      return false;
    }
    spent += RETRY_COST;
    return true;
  }

  /** Counts a call that succeeded. */
  synchronized void succeeded() {
    spent = Math.max(0, spent - 1);
  }
}
