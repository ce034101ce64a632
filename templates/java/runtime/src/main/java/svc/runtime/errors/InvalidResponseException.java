package svc.runtime.errors;

/** A successful response is not valid JSON for the return type. */
public class InvalidResponseException extends SvcException {
  private static final long serialVersionUID = 1;

  /**
   * Creates an exception without a cause.
   *
   * @param message a human-readable description
   * @param details further details
   */
  public InvalidResponseException(String message, ErrorDetails details) {
    super(message, details);
  }

  /**
   * Creates an exception with a cause.
   *
   * @param message a human-readable description
   * @param details further details
   * @param cause the cause
   */
  public InvalidResponseException(String message, ErrorDetails details, Throwable cause) {
    super(message, details, cause);
  }
}
