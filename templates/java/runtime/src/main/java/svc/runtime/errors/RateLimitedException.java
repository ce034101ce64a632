package svc.runtime.errors;

/** 429: too many calls. */
public class RateLimitedException extends StatusException {
  private static final long serialVersionUID = 1;

  /**
   * Makes a failure.
   *
   * @param message what happened, for people
   * @param details what is known beside it
   */
  public RateLimitedException(String message, ErrorDetails details) {
    super(message, details);
  }
}
