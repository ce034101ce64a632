package svc.runtime.errors;

/** The service returned an error status. */
public class StatusException extends SvcException {
  private static final long serialVersionUID = 1;

  /**
   * Creates an exception.
   *
   * @param message a human-readable description
   * @param details further details
   */
  public StatusException(String message, ErrorDetails details) {
    super(message, details);
  }
}
