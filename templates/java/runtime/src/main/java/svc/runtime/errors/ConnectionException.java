package svc.runtime.errors;

/** The service is unreachable, or the connection was lost. */
public class ConnectionException extends SvcException {
  private static final long serialVersionUID = 1;

  /**
   * Creates an exception.
   *
   * @param message a human-readable description
   * @param details further details
   * @param cause the cause, or null
   */
  public ConnectionException(String message, ErrorDetails details, Throwable cause) {
    super(message, details, cause);
  }
}
