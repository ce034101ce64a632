package svc.runtime.errors;

/** 5xx: the service failed. */
public class ServerException extends StatusException {
  private static final long serialVersionUID = 1;

  /**
   * Makes a failure.
   *
   * @param message what happened, for people
   * @param details what is known beside it
   */
  public ServerException(String message, ErrorDetails details) {
    super(message, details);
  }
}
