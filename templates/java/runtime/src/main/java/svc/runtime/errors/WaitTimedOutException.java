package svc.runtime.errors;

/** The run of a flow did not end in time. It continues. */
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
}
