package svc.runtime.errors;

/** The connection was lost while reading the response. */
public class InterruptedAnswerException extends ConnectionException {
  private static final long serialVersionUID = 1;

  /**
   * Creates an exception.
   *
   * @param message a human-readable description
   * @param details further details
   * @param cause the cause, or null
   */
  public InterruptedAnswerException(String message, ErrorDetails details, Throwable cause) {
    super(message, details, cause);
  }
}
