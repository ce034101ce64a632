package svc.runtime.core;

import java.util.Objects;

/**
 * What the service did with the input of a {@link SplitStream}.
 *
 * @param executionId the id of the execution of the node
 * @param inputFrames the number of messages that the node received: those that were sent
 */
public record SplitUpload(String executionId, long inputFrames) {
  /**
   * Rejects null arguments.
   *
   * @param executionId the id of the execution of the node
   * @param inputFrames the number of messages that the node received: those that were sent
   */
  public SplitUpload {
    Objects.requireNonNull(executionId, "executionId");
  }
}
