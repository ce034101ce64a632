package svc.runtime.errors;

/** 403: the API key lacks permission. */
public class ForbiddenException extends StatusException {
  private static final long serialVersionUID = 1;

  /**
   * Creates an exception.
   *
   * @param message a human-readable description
   * @param details further details
   */
  public ForbiddenException(String message, ErrorDetails details) {
    super(message, details);
  }
}
