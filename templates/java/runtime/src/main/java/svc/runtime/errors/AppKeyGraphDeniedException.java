package svc.runtime.errors;

/** 403: the app key does not cover this flow. */
public class AppKeyGraphDeniedException extends ForbiddenException {
  private static final long serialVersionUID = 1;

  /**
   * Creates an exception.
   *
   * @param message a human-readable description
   * @param details further details
   */
  public AppKeyGraphDeniedException(String message, ErrorDetails details) {
    super(message, details);
  }
}
