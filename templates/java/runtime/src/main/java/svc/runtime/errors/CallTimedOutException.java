package svc.runtime.errors;

/**
 * The call, including retries, did not complete within its timeout, or within a timeout that a
 * custom transport set for the request.
 */
public class CallTimedOutException extends SvcException {
  private static final long serialVersionUID = 1;

  /**
   * Creates an exception without a cause.
   *
   * @param message a human-readable description
   * @param details further details
   */
  public CallTimedOutException(String message, ErrorDetails details) {
    super(message, details);
  }

  /**
   * Creates an exception with a cause.
   *
   * @param message a human-readable description
   * @param details further details
   * @param cause the cause
   */
  public CallTimedOutException(String message, ErrorDetails details, Throwable cause) {
    super(message, details, cause);
  }
}
