package svc.runtime.errors;

/** The run of a flow had not ended in time; it runs on. */
public class WaitTimedOutException extends CallTimedOutException {
  private static final long serialVersionUID = 1;

  /**
   * Makes a failure.
   *
   * @param message what happened, for people
   * @param details what is known beside it
   */
  public WaitTimedOutException(String message, ErrorDetails details) {
    super(message, details);
  }
}
