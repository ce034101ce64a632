package svc.runtime.errors;

/** 413: the input is larger than the service takes. */
public class PayloadTooLargeException extends StatusException {
  private static final long serialVersionUID = 1;

  /**
   * Makes a failure.
   *
   * @param message what happened, for people
   * @param details what is known beside it
   */
  public PayloadTooLargeException(String message, ErrorDetails details) {
    super(message, details);
  }
}
