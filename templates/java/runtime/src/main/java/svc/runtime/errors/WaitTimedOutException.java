package svc.runtime.errors;

/**
 * The run of a flow did not end in time and continues. If its state could not be read at the last
 * poll, for example because the service is down, the cause is that failure, and the run may have
 * ended.
 */
public class WaitTimedOutException extends CallTimedOutException {
  private static final long serialVersionUID = 1;

  /**
   * Creates an exception.
   *
   * @param message a human-readable description
   * @param details further details
   */
  public WaitTimedOutException(String message, ErrorDetails details) {
    super(message, details);
  }

  /**
   * Creates an exception with a cause.
   *
   * @param message a human-readable description
   * @param details further details
   * @param cause why the run could not be read
   */
  public WaitTimedOutException(String message, ErrorDetails details, Throwable cause) {
    super(message, details, cause);
  }
}
