package svc.runtime.errors;

/** 400: the request does not fit what is called. */
public class BadRequestException extends StatusException {
  private static final long serialVersionUID = 1;

  /**
   * Makes a failure.
   *
   * @param message what happened, for people
   * @param details what is known beside it
   */
  public BadRequestException(String message, ErrorDetails details) {
    super(message, details);
  }
}
