package svc.runtime.errors;

/** 400: the request is invalid. */
public class BadRequestException extends StatusException {
  private static final long serialVersionUID = 1;

  /**
   * Creates an exception.
   *
   * @param message a human-readable description
   * @param details further details
   */
  public BadRequestException(String message, ErrorDetails details) {
    super(message, details);
  }
}
