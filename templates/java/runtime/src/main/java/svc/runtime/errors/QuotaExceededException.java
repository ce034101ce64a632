package svc.runtime.errors;

/** 429: a daily quota is exhausted until midnight UTC. */
public class QuotaExceededException extends RateLimitedException {
  private static final long serialVersionUID = 1;

  /**
   * Creates an exception.
   *
   * @param message a human-readable description
   * @param details further details
   */
  public QuotaExceededException(String message, ErrorDetails details) {
    super(message, details);
  }
}
