package svc.runtime.errors;

/** The thread of the call was interrupted, or its future cancelled. */
public class CallCancelledException extends SvcException {
  private static final long serialVersionUID = 1;

  /**
   * Makes a failure.
   *
   * @param message what happened, for people
   * @param cause the cause, or null
   */
  public CallCancelledException(String message, Throwable cause) {
    super(message, ErrorDetails.NONE, cause);
  }
}
