package svc.runtime.errors;

/**
 * The idempotency key of the caller belongs to a different, earlier request. The {@code
 * executionId()} is that of the run that the earlier request started. This request started none.
 */
public class IdempotencyMismatchException extends SvcException {
  private static final long serialVersionUID = 1;

  /**
   * Creates an exception.
   *
   * @param message a human-readable description
   * @param details further details
   */
  public IdempotencyMismatchException(String message, ErrorDetails details) {
    super(message, details);
  }
}
