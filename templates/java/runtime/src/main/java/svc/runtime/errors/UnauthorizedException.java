package svc.runtime.errors;

/** 401: the API key is missing, invalid, expired or revoked. */
public class UnauthorizedException extends StatusException {
  private static final long serialVersionUID = 1;

  /**
   * Creates an exception.
   *
   * @param message a human-readable description
   * @param details further details
   */
  public UnauthorizedException(String message, ErrorDetails details) {
    super(message, details);
  }
}
