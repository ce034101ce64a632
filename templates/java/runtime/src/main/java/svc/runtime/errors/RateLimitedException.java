package svc.runtime.errors;

/** 429: too many requests. */
public class RateLimitedException extends StatusException {
  private static final long serialVersionUID = 1;

  /**
   * Creates an exception.
   *
   * @param message a human-readable description
   * @param details further details
   */
  public RateLimitedException(String message, ErrorDetails details) {
    super(message, details);
  }
}
