package svc.runtime.errors;

import java.util.Optional;

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

  @Override
  Optional<String> ownCode() {
    return Optional.of("node_failed");
  }
}
