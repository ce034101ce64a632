package svc.runtime.errors;

/** 404: the resource does not exist or is not deployed. */
public class NotFoundException extends StatusException {
  private static final long serialVersionUID = 1;

  /**
   * Creates an exception.
   *
   * @param message a human-readable description
   * @param details further details
   */
  public NotFoundException(String message, ErrorDetails details) {
    super(message, details);
  }
}
