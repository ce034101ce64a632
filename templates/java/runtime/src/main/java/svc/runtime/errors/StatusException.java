package svc.runtime.errors;

/** The service refused the call: any status that is not 2xx. */
public class StatusException extends SvcException {
  private static final long serialVersionUID = 1;

  /**
   * Makes a failure.
   *
   * @param message what happened, for people
   * @param details what is known beside it
   */
  public StatusException(String message, ErrorDetails details) {
    super(message, details, null);
  }
}
