package svc.runtime.core;

import java.util.Arrays;

/** The status of a pause. */
public enum PauseStatus {
  /** It waits for a decision. All other statuses are final. */
  WAITING,

  /** The run continues with a decision. */
  RESUMED,

  /** The deadline passed without a decision. */
  EXPIRED,

  /** The run ended in another way. */
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
