package svc.runtime.errors;

/** A stream ended without its last frame, or the service did not receive the whole input. */
public class StreamInterruptedException extends InterruptedResponseException {
  private static final long serialVersionUID = 1;

  /**
   * Creates an exception without a cause.
   *
   * @param message a human-readable description
   * @param details further details
   */
  public StreamInterruptedException(String message, ErrorDetails details) {
    super(message, details);
  }

  /**
   * Creates an exception with a cause.
   *
   * @param message a human-readable description
   * @param details further details
   * @param cause the cause
   */
  public StreamInterruptedException(String message, ErrorDetails details, Throwable cause) {
    super(message, details, cause);
  }
}
