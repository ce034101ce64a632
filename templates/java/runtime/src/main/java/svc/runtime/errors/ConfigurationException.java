package svc.runtime.errors;

/** The client or the call is set up wrongly; nothing was sent. */
public class ConfigurationException extends SvcException {
  private static final long serialVersionUID = 1;

  /**
   * Makes a failure.
   *
   * @param message what happened, for people
   * @param cause the cause, or null
   */
  public ConfigurationException(String message, Throwable cause) {
    super(message, ErrorDetails.NONE, cause);
  }
}
