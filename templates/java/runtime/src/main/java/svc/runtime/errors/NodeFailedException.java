package svc.runtime.errors;

/** 422: the node itself returned an error. */
public class NodeFailedException extends StatusException {
  private static final long serialVersionUID = 1;

  /**
   * Makes a failure.
   *
   * @param message what happened, for people
   * @param details what is known beside it
   */
  public NodeFailedException(String message, ErrorDetails details) {
    super(message, details);
  }
}
