package svc.runtime.errors;

import java.util.Optional;

/** The run of a flow waits for a decision. */
public class FlowPausedException extends SvcException {
  private static final long serialVersionUID = 1;

  private final String pauseId;

  /**
   * Makes a failure.
   *
   * @param message what happened, for people
   * @param details what is known beside it
   * @param pauseId the pause of the run, or null
   */
  public FlowPausedException(String message, ErrorDetails details, String pauseId) {
    super(message, details, null);
    this.pauseId = pauseId;
  }

  /**
   * Gives the pause of the run.
   *
   * @return the id, empty when the service did not say it
   */
  public final Optional<String> pauseId() {
    return Optional.ofNullable(pauseId);
  }
}
