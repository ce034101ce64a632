package svc.runtime.errors;

/** The service is unreachable, or the connection was lost. */
public class ConnectionException extends SvcException {
  private static final long serialVersionUID = 1;

  /**
   * Creates an exception without a cause.
   *
   * @param message a human-readable description
   * @param details further details
   */
  public ConnectionException(String message, ErrorDetails details) {
    super(message, details);
  }

  /**
   * Creates an exception with a cause.
   *
   * @param message a human-readable description
   * @param details further details
   * @param cause the cause
   */
  public ConnectionException(String message, ErrorDetails details, Throwable cause) {
    super(message, details, cause);
  }
}
