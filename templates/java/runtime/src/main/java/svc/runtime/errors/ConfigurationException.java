package svc.runtime.errors;

/** A client or call option is missing or malformed. No request was sent. */
public class ConfigurationException extends SvcException {
  private static final long serialVersionUID = 1;

  /**
   * Creates an exception without a cause.
   *
   * @param message a human-readable description
   */
  public ConfigurationException(String message) {
    super(message, ErrorDetails.NONE);
  }

  /**
   * Creates an exception with a cause.
   *
   * @param message a human-readable description
   * @param cause the cause
   */
  public ConfigurationException(String message, Throwable cause) {
    super(message, ErrorDetails.NONE, cause);
  }
}
