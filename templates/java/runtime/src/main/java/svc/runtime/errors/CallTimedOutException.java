package svc.runtime.errors;

/** The call, including retries, did not complete within its timeout. */
public class CallTimedOutException extends SvcException {
  private static final long serialVersionUID = 1;

  /**
   * Creates an exception.
   *
   * @param message a human-readable description
   * @param details further details
   */
  public CallTimedOutException(String message, ErrorDetails details) {
    super(message, details);
  }
}
