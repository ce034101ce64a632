package svc.runtime.core;

import java.util.Arrays;

/** The status of a pause. */
public enum PauseStatus {
  /** It waits for a decision. All other statuses are final. */
  WAITING,

  /** The run continues with a decision. */
  RESUMED,

  /** The time to decide ended. */
  EXPIRED,

  /** The run ended otherwise. */
  CANCELLED,

  /** A status that this release does not know; {@link Pause#statusAsString} returns it. */
  UNRECOGNIZED;

  static PauseStatus of(String text) {
    return Arrays.stream(values())
        .filter(status -> status.name().equals(text))
        .findFirst()
        .orElse(UNRECOGNIZED);
  }
}
