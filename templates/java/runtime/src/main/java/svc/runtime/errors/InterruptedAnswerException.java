package svc.runtime.errors;

/** The connection broke in the middle of the answer. */
public class InterruptedAnswerException extends ConnectionException {
  private static final long serialVersionUID = 1;

  /**
   * Makes a failure.
   *
   * @param message what happened, for people
   * @param details what is known beside it
   * @param cause the cause, or null
   */
  public InterruptedAnswerException(String message, ErrorDetails details, Throwable cause) {
    super(message, details, cause);
  }
}
