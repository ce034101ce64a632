package svc.runtime.errors;

/** 502, 503, 504: a dependency of the service is temporarily unavailable. */
public class UpstreamUnavailableException extends ServerException {
  private static final long serialVersionUID = 1;

  /**
   * Creates an exception.
   *
   * @param message a human-readable description
   * @param details further details
   */
  public UpstreamUnavailableException(String message, ErrorDetails details) {
    super(message, details);
  }
}
