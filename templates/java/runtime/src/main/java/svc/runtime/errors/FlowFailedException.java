package svc.runtime.errors;

/** The run of a flow failed or was cancelled. */
public class FlowFailedException extends SvcException {
  private static final long serialVersionUID = 1;

  /**
   * Makes a failure.
   *
   * @param message what happened, for people
   * @param details what is known beside it
   */
  public FlowFailedException(String message, ErrorDetails details) {
    super(message, details, null);
  }
}
