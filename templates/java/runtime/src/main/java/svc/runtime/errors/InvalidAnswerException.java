package svc.runtime.errors;

/** A successful answer is not what the call returns. */
public class InvalidAnswerException extends SvcException {
  private static final long serialVersionUID = 1;

  /**
   * Makes a failure.
   *
   * @param message what happened, for people
   * @param details what is known beside it
   * @param cause the cause, or null
   */
  public InvalidAnswerException(String message, ErrorDetails details, Throwable cause) {
    super(message, details, cause);
  }
}
