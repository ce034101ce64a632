package svc.runtime.errors;

import java.util.Optional;

/** The run of a flow failed or was cancelled. */
public class FlowFailedException extends SvcException {
  private static final long serialVersionUID = 1;

  /**
   * Creates an exception.
   *
   * @param message a human-readable description
   * @param details further details
   */
  public FlowFailedException(String message, ErrorDetails details) {
    super(message, details);
  }

  @Override
  Optional<String> ownCode() {
    return Optional.of("flow_failed");
  }
}
