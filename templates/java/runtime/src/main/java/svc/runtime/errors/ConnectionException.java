package svc.runtime.errors;

/** The service could not be reached, or the connection broke. */
public class ConnectionException extends SvcException {
  private static final long serialVersionUID = 1;

  /**
   * Makes a failure.
   *
   * @param message what happened, for people
   * @param details what is known beside it
   * @param cause the cause, or null
   */
  public ConnectionException(String message, ErrorDetails details, Throwable cause) {
    super(message, details, cause);
  }
}
