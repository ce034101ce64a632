package svc.runtime.errors;

/** 403: the key may not do this. */
public class ForbiddenException extends StatusException {
  private static final long serialVersionUID = 1;

  /**
   * Makes a failure.
   *
   * @param message what happened, for people
   * @param details what is known beside it
   */
  public ForbiddenException(String message, ErrorDetails details) {
    super(message, details);
  }
}
