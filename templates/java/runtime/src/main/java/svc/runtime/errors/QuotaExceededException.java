package svc.runtime.errors;

/** 429: a daily quota is used up. */
public class QuotaExceededException extends RateLimitedException {
  private static final long serialVersionUID = 1;

  /**
   * Makes a failure.
   *
   * @param message what happened, for people
   * @param details what is known beside it
   */
  public QuotaExceededException(String message, ErrorDetails details) {
    super(message, details);
  }
}
