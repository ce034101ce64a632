package svc.runtime.errors;

/** 401: the key is missing, unknown, expired or revoked. */
public class UnauthorizedException extends StatusException {
  private static final long serialVersionUID = 1;

  /**
   * Makes a failure.
   *
   * @param message what happened, for people
   * @param details what is known beside it
   */
  public UnauthorizedException(String message, ErrorDetails details) {
    super(message, details);
  }
}
