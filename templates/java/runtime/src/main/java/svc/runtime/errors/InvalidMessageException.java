package svc.runtime.errors;

/** A message cannot be encoded as, or decoded from, ProtoJSON. No request was sent. */
public class InvalidMessageException extends SvcException {
  private static final long serialVersionUID = 1;

  /**
   * Creates an exception.
   *
   * @param message a human-readable description
   */
  public InvalidMessageException(String message) {
    super(message, ErrorDetails.NONE);
  }
}
