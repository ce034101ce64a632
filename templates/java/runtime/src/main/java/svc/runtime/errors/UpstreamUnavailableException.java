package svc.runtime.errors;

/** 502, 503, 504: what the service calls is unavailable. */
public class UpstreamUnavailableException extends ServerException {
  private static final long serialVersionUID = 1;

  /**
   * Makes a failure.
   *
   * @param message what happened, for people
   * @param details what is known beside it
   */
  public UpstreamUnavailableException(String message, ErrorDetails details) {
    super(message, details);
  }
}
