package svc.runtime.errors;

/** The call, its retries included, took longer than it may. */
public class CallTimedOutException extends SvcException {
  private static final long serialVersionUID = 1;

  /**
   * Makes a failure.
   *
   * @param message what happened, for people
   * @param details what is known beside it
   */
  public CallTimedOutException(String message, ErrorDetails details) {
    super(message, details, null);
  }
}
