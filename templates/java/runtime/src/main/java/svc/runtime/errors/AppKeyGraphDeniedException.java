package svc.runtime.errors;

/** 403: the app key is not for this graph. */
public class AppKeyGraphDeniedException extends ForbiddenException {
  private static final long serialVersionUID = 1;

  /**
   * Makes a failure.
   *
   * @param message what happened, for people
   * @param details what is known beside it
   */
  public AppKeyGraphDeniedException(String message, ErrorDetails details) {
    super(message, details);
  }
}
