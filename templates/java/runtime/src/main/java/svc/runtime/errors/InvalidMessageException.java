package svc.runtime.errors;

/** A message does not fit its type, or a text is not ProtoJSON of it; nothing was sent. */
public class InvalidMessageException extends SvcException {
  private static final long serialVersionUID = 1;

  /**
   * Makes a failure.
   *
   * @param message what happened, for people
   */
  public InvalidMessageException(String message) {
    super(message, ErrorDetails.NONE, null);
  }
}
