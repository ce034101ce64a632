package svc.runtime.errors;

/** 413: the input exceeds the size limit of the service. */
public class PayloadTooLargeException extends StatusException {
  private static final long serialVersionUID = 1;

  /**
   * Creates an exception.
   *
   * @param message a human-readable description
   * @param details further details
   */
  public PayloadTooLargeException(String message, ErrorDetails details) {
    super(message, details);
  }
}
