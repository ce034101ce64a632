package svc.runtime.core;

import java.util.Arrays;

/** The status of an execution. */
public enum ExecutionStatus {
  /** It has not started. */
  QUEUED,

  /** It runs, or it is paused. */
  RUNNING,

  /** It ended with an output. */
  COMPLETED,

  /** It ended with an error. */
  FAILED,

  /** It was cancelled. */
  CANCELLED,

  /** It was continued by another execution. */
  FORKED,

  /**
   * A status that this release does not know; {@link ExecutionRecord#statusAsString} returns it.
   */
  UNRECOGNIZED;

  static ExecutionStatus of(String text) {
    return Arrays.stream(values())
        .filter(status -> status.name().equals(text))
        .findFirst()
        .orElse(UNRECOGNIZED);
  }

  /**
   * Reports whether this is the status of an execution that has ended.
   *
   * @return whether it has ended
   */
  public boolean isFinal() {
    return switch (this) {
      case COMPLETED, FAILED, CANCELLED, FORKED -> true;
      case QUEUED, RUNNING, UNRECOGNIZED -> false;
    };
  }
}
