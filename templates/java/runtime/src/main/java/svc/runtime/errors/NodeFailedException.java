package svc.runtime.errors;

/** 422: the node returned an error. */
public class NodeFailedException extends StatusException {
  private static final long serialVersionUID = 1;

  /**
   * Creates an exception.
   *
   * @param message a human-readable description
   * @param details further details
   */
  public NodeFailedException(String message, ErrorDetails details) {
    super(message, details);
  }
}
