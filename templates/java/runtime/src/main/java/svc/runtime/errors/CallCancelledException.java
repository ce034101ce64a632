package svc.runtime.errors;

/** The calling thread was interrupted, or the future of the call was cancelled. */
public class CallCancelledException extends SvcException {
  private static final long serialVersionUID = 1;

  /**
   * Creates an exception without a cause.
   *
   * @param message a human-readable description
   */
  public CallCancelledException(String message) {
    super(message, ErrorDetails.NONE);
  }

  /**
   * Creates an exception with a cause.
   *
   * @param message a human-readable description
   * @param cause the cause
   */
  public CallCancelledException(String message, Throwable cause) {
    super(message, ErrorDetails.NONE, cause);
  }

  /**
   * Creates an exception with details.
   *
   * @param message a human-readable description
   * @param details further details
   */
  public CallCancelledException(String message, ErrorDetails details) {
    super(message, details);
  }

  /**
   * Creates an exception with details and a cause.
   *
   * @param message a human-readable description
   * @param details further details
   * @param cause the cause
   */
  public CallCancelledException(String message, ErrorDetails details, Throwable cause) {
    super(message, details, cause);
  }
}
