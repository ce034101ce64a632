package svc.runtime.errors;

import java.util.Objects;
import java.util.Optional;

/** The run of a flow waits for a decision. It continues when it is resumed. */
public class FlowPausedException extends SvcException {
  private static final long serialVersionUID = 1;

  /** Null if the service did not send it. */
  private final String pauseId;

  /**
   * Creates an exception for a pause that the service did not name.
   *
   * @param message a human-readable description
   * @param details further details
   */
  public FlowPausedException(String message, ErrorDetails details) {
    super(message, details);
    pauseId = null;
  }

  /**
   * Creates an exception.
   *
   * @param message a human-readable description
   * @param details further details
   * @param pauseId the id of the pause
   */
  public FlowPausedException(String message, ErrorDetails details, String pauseId) {
    super(message, details);
    this.pauseId = Objects.requireNonNull(pauseId, "pauseId");
  }

  @Override
  Optional<String> ownCode() {
    return Optional.of("flow_paused");
  }

  /**
   * Returns the id of the pause.
   *
   * @return the id, empty if the service did not send it
   */
  public final Optional<String> pauseId() {
    return Optional.ofNullable(pauseId);
  }
}
