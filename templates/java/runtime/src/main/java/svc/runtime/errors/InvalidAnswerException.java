package svc.runtime.errors;

/** A successful response is not valid JSON for the return type. */
public class InvalidAnswerException extends SvcException {
  private static final long serialVersionUID = 1;

  /**
   * Creates an exception.
   *
   * @param message a human-readable description
   * @param details further details
   * @param cause the cause, or null
   */
  public InvalidAnswerException(String message, ErrorDetails details, Throwable cause) {
    super(message, details, cause);
  }
}
