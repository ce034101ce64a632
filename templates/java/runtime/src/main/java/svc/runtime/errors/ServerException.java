package svc.runtime.errors;

/** 5xx: the service failed. */
public class ServerException extends StatusException {
  private static final long serialVersionUID = 1;

  /**
   * Creates an exception.
   *
   * @param message a human-readable description
   * @param details further details
   */
  public ServerException(String message, ErrorDetails details) {
    super(message, details);
  }
}
