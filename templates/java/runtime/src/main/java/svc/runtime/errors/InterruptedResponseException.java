package svc.runtime.errors;

/** The connection was lost while reading the response. */
public class InterruptedResponseException extends ConnectionException {
  private static final long serialVersionUID = 1;

  /**
   * Creates an exception without a cause.
   *
   * @param message a human-readable description
   * @param details further details
   */
  public InterruptedResponseException(String message, ErrorDetails details) {
    super(message, details);
  }

  /**
   * Creates an exception with a cause.
   *
   * @param message a human-readable description
   * @param details further details
   * @param cause the cause
   */
  public InterruptedResponseException(String message, ErrorDetails details, Throwable cause) {
    super(message, details, cause);
  }
}
