package svc.runtime.errors;

/** The calling thread was interrupted, or the future of the call was cancelled. */
public class CallCancelledException extends SvcException {
  private static final long serialVersionUID = 1;

  /**
   * Creates an exception.
   *
   * @param message a human-readable description
   * @param cause the cause, or null
   */
  public CallCancelledException(String message, Throwable cause) {
    super(message, ErrorDetails.NONE, cause);
  }
}
