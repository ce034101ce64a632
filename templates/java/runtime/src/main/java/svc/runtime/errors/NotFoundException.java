package svc.runtime.errors;

/** 404: there is no such thing, or not for this key. */
public class NotFoundException extends StatusException {
  private static final long serialVersionUID = 1;

  /**
   * Makes a failure.
   *
   * @param message what happened, for people
   * @param details what is known beside it
   */
  public NotFoundException(String message, ErrorDetails details) {
    super(message, details);
  }
}
